import { defineConfig } from 'vite';

/** `npx vite web/dashboard` forwards calls to the running system of `npm start`. */
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
  // JSX needs no plugin, because Vite compiles it for Preact itself.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // Current browsers preload modules by themselves; a polyfill would be part of the first load.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: Object.fromEntries(apiPaths.map((path) => [`^${path}(/|\\?|$)`, apiOrigin])) },
});
