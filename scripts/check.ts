// npm run check [-- --skip <step>] [-- --only <step>]
// Everything a machine can check, two steps at a time; each prints what it has to say when it is done. A failed step does not stop
// the next; the last line counts the steps.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

type Step = {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** Runs with no other step beside it, and prints as it goes. */
  readonly isAlone?: boolean
}

const PARALLEL = 2

const script = (path: string): Step['command'] => ['node', '--import', 'tsx', path]

/** With one thread: several repeat part of each other's work, and another step runs beside it anyway. */
const tsc = (project: string): Step['command'] => ['tsc', '-p', project, '--checkers', '1']

// The longest begin early; what reads the whole tree is done, or leaves dist out, when pack writes that.
const steps: readonly Step[] = [
  { name: 'lint', command: ['biome', 'ci', '--error-on-warnings', '--colors=off'] },
  { name: 'dead-code', command: ['knip', '--no-progress'] },
  { name: 'pack', command: script('scripts/packTest.ts') },
  { name: 'types', command: tsc('tsconfig.json') },
  { name: 'drift', command: script('scripts/checkDrift.ts') },
  { name: 'page-types', command: tsc('src/explorer/tsconfig.json') },
  { name: 'reference-types', command: tsc('src/reference/tsconfig.json') },
  { name: 'walls', command: script('scripts/checkWalls.ts') },
  { name: 'docs', command: script('scripts/checkDocs.ts') },
  { name: 'words', command: script('scripts/checkWords.ts') },
  { name: 'start', command: script('scripts/checkStart.ts') },
  { name: 'tests', command: script('scripts/test.ts'), isAlone: true },
]

const { values } = parseArgs({
  options: { skip: { type: 'string', multiple: true, default: [] }, only: { type: 'string', multiple: true } },
})
const unknown = [...values.skip, ...(values.only ?? [])].find((name) => !steps.some((step) => step.name === name))
if (unknown !== undefined) {
  console.error(`There is no step ${unknown}. The steps: ${steps.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

// The compilers end soon: they collect their garbage less often than what runs for long.
const env = { GOGC: '400', ...process.env }

const runStep = async ({ name, command: [program, ...args], isAlone }: Step): Promise<string> => {
  const isChosen = values.only === undefined || values.only.includes(name)
  if (values.skip.includes(name) || !isChosen) return `skipped  ${name}`
  const title = `\n== ${name}: ${[program, ...args].join(' ')}\n`
  if (isAlone) process.stdout.write(title)
  const start = performance.now()
  // npm puts node_modules/.bin on the path; on Windows the programs there are scripts and need a shell.
  const child = spawn(program, args, {
    cwd: join(import.meta.dirname, '..'),
    env,
    stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => said.push(text))
  }
  const status = await new Promise<number | null>((done) => {
    child.on('error', ({ message }) => {
      said.push(`${message}\n`)
      done(1)
    })
    child.on('close', done)
  })
  process.stdout.write(isAlone ? said.join('') : title + said.join(''))
  return `${status === 0 ? 'passed ' : 'FAILED '}  ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`
}

const runSteps = async (): Promise<readonly string[]> => {
  const results: string[] = []
  const running = new Set<Promise<void>>()
  for (const [k, step] of steps.entries()) {
    while (running.size >= (step.isAlone ? 1 : PARALLEL)) await Promise.race(running)
    const run: Promise<void> = runStep(step).then((result) => {
      results[k] = result
      running.delete(run)
    })
    running.add(run)
    if (step.isAlone) await run
  }
  await Promise.all(running)
  return results
}

const results = await runSteps()
const failed = results.filter((result) => result.startsWith('FAILED')).length
const passed = results.filter((result) => result.startsWith('passed')).length
console.log(`\n${results.join('\n')}\n\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
