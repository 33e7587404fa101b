// node --import tsx scripts/recordStart.ts
// Records the terminal of a first run, `npm start` until Ctrl-C, into docs/first-run.cast (asciicast v2): without compiled sources and
// without a data folder, as in a fresh clone after `npm ci --ignore-scripts`. Needs `script` of util-linux.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const root = join(import.meta.dirname, '..')
const [WIDTH, HEIGHT] = [120, 50]
const PROMPT = '$ '
const LOOK_MS = 3000

if (existsSync(join(root, '.chaincenter'))) {
  console.error('A network is stored in .chaincenter: move it away, so that the first run is one.')
  process.exit(1)
}
// Compiled sources count as old then, and those that run stay.
utimesSync(join(root, 'scripts/compileClone.js'), new Date(), new Date())

const begun = performance.now()
const events: string[] = []
const record = (text: string): void => {
  events.push(JSON.stringify([Number(((performance.now() - begun) / 1000).toFixed(3)), 'o', text]))
}

record(PROMPT)
for (const key of 'npm start') {
  await pause(60)
  record(key)
}
record('\r\n')
const child = spawn('script', ['-qefc', `stty cols ${WIDTH} rows ${HEIGHT}; exec npm start`, '/dev/null'], {
  cwd: root,
  // Settings of the person who records are nobody else's.
  env: { ...process.env, NPM_CONFIG_USERCONFIG: '/dev/null' },
  stdio: ['pipe', 'pipe', 'inherit'],
})
const exit = once(child, 'exit')
let text = ''
let isStopped = false
child.stdout.setEncoding('utf8').on('data', (part: string) => {
  text += part
  record(part)
  if (isStopped || !text.includes('Press Ctrl-C to stop.')) return
  isStopped = true
  // The terminal turns this into an interrupt.
  setTimeout(() => child.stdin.write('\x03'), LOOK_MS)
})
const [code] = await exit
child.stdin.end()
record(PROMPT)
rmSync(join(root, '.chaincenter'), { recursive: true, force: true })
if (!isStopped) {
  console.error(`npm start ended with ${code} before the network ran.`)
  process.exit(1)
}
const head = { version: 2, width: WIDTH, height: HEIGHT, title: 'The first run of chaincenter: npm start' }
writeFileSync(join(root, 'docs/first-run.cast'), `${[JSON.stringify(head), ...events].join('\n')}\n`)
console.log(`docs/first-run.cast: ${events.length} events in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
