import { describeSessions } from '../support/suites/sessions.js';

describeSessions('sqlite');
