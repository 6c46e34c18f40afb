import { defineConfig } from 'vite';

/** `npm run web:dev` passes calls on to the system that `npm start` has running. */
const apiOrigin = 'http://127.0.0.1:3000';
const apiPaths = [
  '/auth',
  '/partner',
  '/integration',
  '/business',
  '/categories',
  '/vehicles',
  '/public',
  '/images',
  '/p',
];

export default defineConfig({
  base: '/dashboard/',
  // JSX needs no plugin: esbuild writes it for Preact.
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: 'es2022',
    // Browsers of today preload modules by themselves; the stand-in would be script in the first load.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: Object.fromEntries(apiPaths.map((path) => [`^${path}(/|\\?|$)`, apiOrigin])) },
});
