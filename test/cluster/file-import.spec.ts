import { describeFileImport } from '../support/suites/file-import.js';

describeFileImport('postgres');
