// Packs the package as npm would publish it, installs the tarball in an empty folder without install scripts, and uses it.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const isWindows = process.platform === 'win32'

const run = (
  program: string,
  args: readonly string[],
  cwd: string,
  stderr: 'inherit' | 'ignore' = 'inherit',
): { exitCode: number | null; stdout: string } => {
  const { status, stdout, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', stderr],
    shell: isWindows,
    timeout: 180_000,
  })
  if (error !== undefined) throw error
  return { exitCode: status, stdout }
}

const succeed = (program: string, args: readonly string[], cwd: string): string => {
  const { exitCode, stdout } = run(program, args, cwd)
  assert.equal(exitCode, 0, `${program} ${args.join(' ')} ended with exit code ${exitCode}.\n${stdout}`)
  return stdout
}

/** What a test suite of others does: starts a network in its process, and asks its liteserver by the command line. */
const useNetwork = `
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startNetwork } from 'chaincenter'
import { assertTransaction } from 'chaincenter/testing'
const network = await startNetwork({ mining: { mode: 'manual' } })
const [alice, bob] = await Promise.all(['alice', 'bob'].map((name) => network.wallet(name)))
const { transactions } = await alice.send({ to: bob.address, value: 1_000_000_000n })
assertTransaction(transactions, { from: alice.address, to: bob.address, success: true })
const args = ['lite', 'getMasterchainInfo', '--json', '--global-config', network.globalConfig.path]
const { stdout } = await promisify(execFile)(process.argv[2], args, { shell: process.platform === 'win32' })
const { last } = JSON.parse(stdout)
await network.close()
console.log(JSON.stringify({ head: last.seqno, key: network.liteserver.key }))
`

/** A program that uses the client; types without limits would cost its compiler seconds. */
const useClient = `
import { createClient, parseValues, readStack } from 'chaincenter/client'
const client = createClient({ url: 'http://127.0.0.1:8081' })
for await (const action of client.items('actions', { account: 'EQ' })) {
  if (action.type === 'jetton_transfer') console.log(parseValues(action).details.amount * 2n)
}
for await (const event of client.subscribe({ types: ['transactions'], addresses: ['EQ'] })) console.log(event.type)
console.log(readStack(await client.v3.runGetMethod({ address: 'EQ', method: 'seqno', stack: [] })).readNumber())
`
const MAX_INSTANTIATIONS = 150_000

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const folder = mkdtempSync(join(tmpdir(), 'chaincenter-pack-'))
try {
  succeed('npm', ['run', '--silent', 'build'], root)
  const [packed] = JSON.parse(
    succeed('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root),
  ) as [{ filename: string; size: number; files: { path: string }[] }]
  const strays = packed.files.filter(({ path }) => !/^(bin|dist)\/|^(README\.md|LICENSE|package\.json)$/.test(path))
  assert.deepEqual(strays, [], 'The package holds files that nobody needs who installs it.')
  assert.ok(!packed.files.some(({ path }) => /\.(test|bench)\./.test(path)), 'The package holds tests.')
  const paths = new Set(packed.files.map(({ path }) => path))
  const unmapped = [...paths].filter((path) => /^dist\/(?!explorer\/).*\.js$/.test(path) && !paths.has(`${path}.map`))
  assert.deepEqual(unmapped, [], 'The package holds modules without a source map.')

  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  succeed(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', `./${packed.filename}`],
    folder,
  )
  const program = join(folder, 'node_modules', '.bin', isWindows ? 'chaincenter.cmd' : 'chaincenter')

  assert.match(succeed(program, ['--help'], folder), /^Usage: chaincenter <command>/)
  assert.equal(succeed(program, ['--version'], folder).trim(), version)
  writeFileSync(join(folder, 'client.mts'), useClient)
  const flags = '--noEmit --strict --target es2022 --module nodenext --lib es2022,dom --extendedDiagnostics'
  const tsc = join(root, 'node_modules', '.bin', isWindows ? 'tsc.cmd' : 'tsc')
  const [, instantiations] = /Instantiations: *(\d+)/.exec(succeed(tsc, [...flags.split(' '), 'client.mts'], folder))!
  assert.ok(
    Number(instantiations) < MAX_INSTANTIATIONS,
    `The types of the client cost ${instantiations} instantiations.`,
  )
  writeFileSync(join(folder, 'network.mjs'), useNetwork)
  const { head, key } = JSON.parse(succeed(process.execPath, ['network.mjs', program], folder)) as Record<
    string,
    unknown
  >
  assert.ok(Number(head) >= 2 && typeof key === 'string')
  // The commands that a start prints work as they stand.
  const started = spawn(program, ['dev', '--no-index', '--port', '0', '--mining', 'manual'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: isWindows,
  })
  let said = ''
  for await (const part of started.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    said += part
    if (said.includes('Press Ctrl-C to stop.')) break
  }
  const tries = said.split('\n').filter((line) => /^ {2}npx chaincenter /.test(line))
  assert.equal(tries.length, 2)
  for (const line of tries) {
    const { status, stderr } = spawnSync(line, { cwd: folder, shell: true, encoding: 'utf8' })
    assert.equal(status, 0, `${line}\n${stderr}`)
  }
  const ended = once(started, 'exit')
  started.kill('SIGINT')
  await ended
  // The database server comes in a package of its own, whose install script did not run either.
  assert.match(succeed(program, ['db', 'migrate', '--log-level', 'warn'], folder), /^The database is up to date/m)
  assert.equal(run(program, ['strat'], folder, 'ignore').exitCode, 2)
  // OpenTelemetry is not installed with it.
  const untraced = run(
    program,
    ['serve', '--network', 'test', '--otlp-endpoint', 'http://127.0.0.1:1', '--json'],
    folder,
  )
  assert.equal(untraced.exitCode, 2)
  assert.match(untraced.stdout, /npm install @opentelemetry\/api@/)
  console.log(`The packed package works: ${packed.files.length} files, ${Math.ceil(packed.size / 1024)} KiB.`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
