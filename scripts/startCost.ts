// node --import tsx scripts/startCost.ts [--runs 3]
// Processor time of `npm start`, of all its processes, until it says that the network is running, in three forms:
//   uncompiled  an empty data folder, and sources that have to be compiled: after `npm ci --ignore-scripts`, or after a change
//   cold        an empty data folder, and sources that `npm ci` has compiled: the first start in a fresh clone
//   warm        every start after that
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const BANNER = /^Press Ctrl-C to stop\.$/m
const TICKS_PER_SECOND = 100

type Cost = { readonly seconds: number; readonly elapsed: number }

/** Seconds that a process, its descendants and those of them that have ended have computed. Linux only. */
const readSeconds = (root: number): number => {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const fields = readFileSync(`/proc/${name}/stat`, 'latin1').split(') ').at(-1)!.split(' ').map(Number)
        // Parent; then user and system time, own and of children that have ended.
        return [{ pid: Number(name), parent: fields[1], ticks: fields[11]! + fields[12]! + fields[13]! + fields[14]! }]
      } catch {
        return []
      }
    })
  const ticksOf = (pid: number): number =>
    (stats.find((each) => each.pid === pid)?.ticks ?? 0) +
    stats.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + ticksOf(child.pid), 0)
  return ticksOf(root) / TICKS_PER_SECOND
}

const measure = async (folder: string): Promise<Cost> => {
  const begun = performance.now()
  const args = ['--silent', 'start', '--', '--port', '0', '--data-dir', folder, '--log-level', 'error']
  const child = spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  let said = ''
  for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    said += text
    if (BANNER.test(said)) break
  }
  const cost = { seconds: readSeconds(child.pid!), elapsed: (performance.now() - begun) / 1000 }
  const exit = once(child, 'exit')
  process.kill(-child.pid!, 'SIGINT')
  await exit
  return cost
}

/** In a data folder that only this has. */
const withFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'chaincenter-cost-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/** Compiled sources count as old then, and those that run stay. */
const outdateCompiled = (): void => utimesSync(join(root, 'scripts/compileClone.js'), new Date(), new Date())

const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' } } })
const show = (name: string, { seconds, elapsed }: Cost): void =>
  console.log(`${name.padEnd(10)}  ${seconds.toFixed(2)} s of processor time, ${elapsed.toFixed(1)} s until the banner`)

for (let run = 0; run < Number(values.runs); run++) {
  await withFolder(async (folder) => {
    outdateCompiled()
    show('uncompiled', await measure(folder))
  })
  await withFolder(async (folder) => {
    outdateCompiled()
    // What npm runs at the end of `npm ci`.
    spawnSync('npm', ['--silent', 'run', 'prepare'], { cwd: root, stdio: 'inherit' })
    show('cold', await measure(folder))
    show('warm', await measure(folder))
  })
}
