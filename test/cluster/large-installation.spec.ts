import { describeLargeInstallation } from '../support/suites/large-installation.js';

describeLargeInstallation('postgres');
