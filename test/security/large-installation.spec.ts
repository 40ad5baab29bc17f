// What a reader with a limited key, and everybody else, may cost an installation that has much of everything.
import { describeLargeInstallation } from '../support/suites/large-installation.js';

describeLargeInstallation('sqlite');
