// npm run check [-- --skip <step>] [-- --only <step>]
// Everything a machine can check, in order. A failed step does not stop the next; the last line counts the steps.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

type Step = {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** Runs only if --only names it: it does not pass yet. */
  readonly isOptional?: boolean
}

const script = (path: string): Step['command'] => ['node', '--import', 'tsx', path]

const steps: readonly Step[] = [
  { name: 'lint', command: ['biome', 'ci', '--error-on-warnings', '--colors=off'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'page-types', command: ['tsc', '-p', 'src/explorer/tsconfig.json'] },
  { name: 'reference-types', command: ['tsc', '-p', 'src/reference/tsconfig.json'] },
  { name: 'walls', command: script('scripts/checkWalls.ts') },
  { name: 'dead-code', command: ['knip', '--no-progress'] },
  { name: 'drift', command: script('scripts/checkDrift.ts') },
  { name: 'docs', command: script('scripts/checkDocs.ts') },
  { name: 'words', command: script('scripts/checkWords.ts'), isOptional: true },
  { name: 'tests', command: script('scripts/test.ts') },
  { name: 'pack', command: script('scripts/packTest.ts') },
  { name: 'start', command: script('scripts/checkStart.ts') },
]

const { values } = parseArgs({
  options: { skip: { type: 'string', multiple: true, default: [] }, only: { type: 'string', multiple: true } },
})
const unknown = [...values.skip, ...(values.only ?? [])].find((name) => !steps.some((step) => step.name === name))
if (unknown !== undefined) {
  console.error(`There is no step ${unknown}. The steps: ${steps.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

const runStep = ({ name, command: [program, ...args], isOptional }: Step): string => {
  const isChosen = values.only === undefined ? isOptional !== true : values.only.includes(name)
  if (values.skip.includes(name) || !isChosen) return `skipped  ${name}`
  console.log(`\n== ${name}: ${[program, ...args].join(' ')}`)
  const start = performance.now()
  // npm puts node_modules/.bin on the path; on Windows the programs there are scripts and need a shell.
  const { status, error } = spawnSync(program, args, {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (error !== undefined) console.error(error.message)
  return `${status === 0 ? 'passed ' : 'FAILED '}  ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`
}

const results = steps.map(runStep)
const failed = results.filter((result) => result.startsWith('FAILED')).length
const passed = results.filter((result) => result.startsWith('passed')).length
console.log(`\n${results.join('\n')}\n\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
