import 'reflect-metadata';
import { describeAttachedDocuments } from '../support/suites/attached-documents.js';

describeAttachedDocuments('sqlite');
