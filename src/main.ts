#!/usr/bin/env node
// The build replaces the compiled file by an import of the bundled program.
import './bootstrap/program.js';
