#!/usr/bin/env node
// An installed package has only dist/. A clone runs its sources, so that what runs is never an old build: compiled once and kept until
// one of them changes, or through tsx where stack traces or a debugger need the sources themselves. Where the development tools were
// left out (npm ci --omit=dev), it runs what "npm run build" made.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const source = new URL('../src/cli/main.ts', import.meta.url)
const build = new URL('../dist/cli/main.js', import.meta.url)

const findCompiled = async () => {
  if (process.argv.includes('--verbose') || process.execArgv.some((flag) => flag.startsWith('--inspect')))
    return undefined
  const { compileClone } = await import('../scripts/compileClone.js')
  const start = performance.now()
  let isShown = false
  const compiled = await compileClone(fileURLToPath(new URL('..', import.meta.url)), () => {
    isShown = process.stderr.isTTY === true
    if (isShown) process.stderr.write('  … sources (compiled once, and after a change)')
  })
  const took = ((performance.now() - start) / 1000).toFixed(1)
  if (isShown) process.stderr.write(`\r\x1b[2K  ✓ sources      ${took} s\n`)
  return compiled
}

const findMain = async () => {
  const compiled = existsSync(source) ? await findCompiled() : undefined
  if (compiled !== undefined) return compiled
  const tsx = existsSync(source) ? await import('tsx/esm/api').catch(() => undefined) : undefined
  tsx?.register()
  return tsx === undefined ? build.href : source.href
}

const main = await findMain()
if (main === build.href && !existsSync(build)) {
  console.error('chaincenter is neither built nor able to run its sources.\nRun "npm ci" first, or "npm run build".')
  process.exit(1)
}
await (await import(main)).main()
