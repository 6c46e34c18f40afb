import { render } from 'preact';
import { startSession } from './api/session.ts';
import { App, preloadPage } from './app.tsx';
import { recoverFromOldBuild } from './routing/recover-from-old-build.ts';
import { startRouting } from './routing/location.ts';
import { startTheme } from './shell/theme.ts';
import './styles/tokens.css';
import './styles/base.css';

startTheme();
startRouting('/dashboard');
recoverFromOldBuild();
// The page's code and the session are loaded at the same time.
preloadPage();
startSession();

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
