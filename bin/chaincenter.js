#!/usr/bin/env node
// An installed package has only dist/. A clone runs its sources, through tsx, so that what runs is never an old build;
// where the development tools were left out (npm ci --omit=dev), it runs what "npm run build" made.
import { existsSync } from 'node:fs'

const source = new URL('../src/cli/main.ts', import.meta.url)
const build = new URL('../dist/cli/main.js', import.meta.url)
const tsx = existsSync(source) ? await import('tsx/esm/api').catch(() => undefined) : undefined
if (tsx === undefined && !existsSync(build)) {
  console.error('chaincenter is neither built nor able to run its sources.\nRun "npm ci" first, or "npm run build".')
  process.exit(1)
}
tsx?.register()
const { main } = await import(tsx === undefined ? build.href : source.href)
await main()
