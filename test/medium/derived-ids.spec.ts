import { describeDerivedIds } from '../support/suites/derived-ids.js';

describeDerivedIds('sqlite');
