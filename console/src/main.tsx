import './styles/base.css';
import './styles/components.css';
import './styles/shell.css';
import { render } from 'preact';
import { App } from './app.js';
import { loadLanguage } from './i18n.js';
import './theme.js';

await loadLanguage();
const root = document.getElementById('app');
if (root) render(<App />, root);
