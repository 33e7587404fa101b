import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { repository } from '../../test/support/childScript.ts'
import { sampleVmConfig } from '../../test/support/vmSamples.ts'
import { encodeBoc } from '../codec/cell/encodeBoc.ts'

/** A program of a user of the package. It runs one get-method that is long enough for a thread: 2,000 times NOP. */
const program = (folder: string, extension: string): string => `
  const load = (path) => import(${JSON.stringify(pathToFileURL(folder).href)} + path + '.${extension}')
  const { createVirtualMachine } = await load('/tvm/createVirtualMachine')
  const { createLogger } = await load('/observe/Logger')
  const { decodeSingleBoc } = await load('/codec/cell/decodeBoc')
  const { CellWriter, emptyCell } = await load('/codec/cell/CellWriter')
  const { ZERO_CURRENCY } = await load('/codec/tlb/CurrencyCollection')
  const logger = createLogger({ level: 'warn', format: 'json', colours: false, write: (line) => console.error(line) })
  const machine = await createVirtualMachine({ logger, workers: 1 })
  const config = decodeSingleBoc(Buffer.from(process.argv.at(-1), 'base64'))
  const { exitCode, stack } = await machine.runMethod({
    contract: {
      address: { workchain: 0, hash: new Uint8Array(32) },
      code: new CellWriter().writeBytes(Uint8Array.of(0x30, 0x81, 0x07, 0xd0, 0x91, 0x00, 0xe4, 0x77)).toCell(),
      data: emptyCell,
      balance: ZERO_CURRENCY,
    },
    methodId: 0,
    stack: [],
    gasLimit: 1_000_000,
    context: { config, now: 1, randomSeed: new Uint8Array(32), previousBlocks: undefined, findLibrary: undefined },
    log: 'none',
  })
  await machine.close()
  console.log(exitCode, stack[0].value)
`

const runProgram = (text: string, cwd: string): void => {
  const config = Buffer.from(encodeBoc([sampleVmConfig()])).toString('base64')
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text, config], {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
    // What the test runner sets for its own sake is none of the program's business.
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  assert.equal(stdout.trim(), '0 7n', stderr)
}

test('in a clone threads run the sources, however the main thread came to read them', () => {
  const register = `const { register } = await import('tsx/esm/api'); register();`
  runProgram(register + program(join(repository, 'src'), 'ts'), repository)
})

/** Writes the compiled sources to a folder: those that run here or, where sources do, compiled anew. */
const compile = (folder: string): void => {
  if (extname(import.meta.filename) === '.js') {
    cpSync(join(import.meta.dirname, '..'), folder, { recursive: true })
    return
  }
  const tsc = join(repository, 'node_modules/typescript/bin/tsc')
  // What is wrong elsewhere in the sources is for the type check to find.
  spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', folder], { cwd: repository })
}

test('compiled, threads run what was compiled, without any tool', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'chaincenter-tvm-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  compile(join(folder, 'dist'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const name of ['curves', 'hashes'])
    cpSync(join(repository, 'node_modules/@noble', name), join(folder, 'node_modules/@noble', name), {
      recursive: true,
    })
  runProgram(program(join(folder, 'dist'), 'js'), folder)
})
