import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { repository } from './support/childScript.ts'
import { runScript } from './support/runScript.ts'
import { writeTree } from './support/writeTree.ts'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
  readonly scripts: Readonly<Record<string, string>>
}

test('the launcher runs the sources of a clone, from any folder', (t) => {
  const cwd = writeTree(t, { 'chaincenter.json': '{ "shards": 3 }' })
  assert.deepEqual(runScript('bin/chaincenter.js', ['--version'], { cwd: writeTree(t, {}) }), {
    exitCode: 0,
    stdout: `${manifest.version}\n`,
    stderr: '',
  })
  const { exitCode, stderr } = runScript('bin/chaincenter.js', ['start'], { cwd })
  assert.equal(exitCode, 2)
  assert.match(
    stderr,
    /^Invalid setting shards from shards in .*chaincenter\.json: expected one of 1, 2, 4, 8, 16, but got "3"\./,
  )
})

test('the exit code reaches the caller', (t) => {
  const cwd = writeTree(t, {})
  const { exitCode, stderr } = runScript('bin/chaincenter.js', ['start'], {
    cwd,
    env: { CHAINCENTER_LOG_LEVEL: 'loud' },
  })
  assert.equal(exitCode, 2)
  assert.equal(
    stderr,
    'Invalid setting logLevel from the environment variable CHAINCENTER_LOG_LEVEL: expected one of debug, info, warn, error, silent, but got "loud".\nFix the environment variable CHAINCENTER_LOG_LEVEL, or remove it to use the default.\n',
  )
})

type CompileClone = { compileClone(root: string, onCompile?: () => void): Promise<string | undefined> }

const compiler = pathToFileURL(join(repository, 'scripts/compileClone.js')).href
const { compileClone } = (await import(compiler)) as CompileClone

test('a clone is compiled once, and again after a change', async (t) => {
  const root = writeTree(t, {
    'package.json': '{ "type": "module" }',
    'package-lock.json': '{}',
    'scripts/compileClone.js': '',
    'src/cli/main.ts':
      "import { place } from '../other.ts'\nexport const main: () => string[] = () => [place, import.meta.dirname]\n",
    'src/other.ts': "export const place: string = new URL('./thread', import.meta.url).href + '.js'\n",
    'src/thread.ts': 'export const isThread: boolean = true\n',
    'src/store/migrations/0001.sql': 'SELECT 1;',
    'src/explorer/main.tsx': '',
    'src/reference/main.tsx': '',
  })
  const first = await compileClone(root)
  assert.ok(first !== undefined)
  const [place, folder] = ((await import(first)) as { main(): [string, string] }).main()
  // Modules find what is beside them as if each were compiled alone.
  assert.equal(((await import(place)) as { isThread: boolean }).isThread, true)
  assert.ok(existsSync(join(folder, '../store/migrations/0001.sql')))
  assert.equal(await compileClone(root), first)

  writeFileSync(join(root, 'src/other.ts'), "export const place: string = 'another'\n")
  const second = await compileClone(root)
  assert.notEqual(second, first)
  assert.equal(((await import(second!)) as { main(): [string, string] }).main()[0], 'another')
  // A process that runs may still load parts of the older one.
  assert.ok(existsSync(fileURLToPath(first)))

  writeFileSync(join(root, 'src/other.ts'), 'export const = 1\n')
  assert.equal(await compileClone(root), undefined)
})

test('npm ci leaves compiled sources for the first start, and goes on without them', async (t) => {
  const clone = {
    'package.json': '{ "type": "module" }',
    'package-lock.json': '{}',
    'scripts/compileClone.js': `export * from '${compiler}'`,
    'src/cli/main.ts': 'export const main: () => number = () => 1\n',
    'src/explorer/main.tsx': '',
    'src/reference/main.tsx': '',
  }
  const prepare = (cwd: string): unknown => {
    const { status, output } = spawnSync(manifest.scripts['prepare']!, { cwd, encoding: 'utf8', shell: true })
    return [status, output.join('')]
  }
  const root = writeTree(t, clone)
  assert.deepEqual(prepare(root), [0, ''])
  // As bin/chaincenter.js names the clone.
  const main = await compileClone(`${root}/`, () => assert.fail('The sources were compiled again.'))
  assert.equal(((await import(main!)) as { main(): number }).main(), 1)

  // With an error in the sources, and where they are not there yet, as in the build of an image.
  assert.deepEqual(prepare(writeTree(t, { ...clone, 'src/cli/main.ts': 'export const = 1\n' })), [0, ''])
  assert.deepEqual(prepare(writeTree(t, { 'package.json': '{}' })), [0, ''])
})

test('the compiled clone is the program', () => {
  const args = [join(repository, 'bin/chaincenter.js'), 'inspect', '0:0', '--json']
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 120_000 })
  assert.equal(status, 2)
  assert.match(stdout, /^\{"error":\{"code":/)
})
