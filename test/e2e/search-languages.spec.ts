import { describeSearchLanguages } from '../support/suites/search-languages.js';

describeSearchLanguages('sqlite');
