import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runTolkCompiler } from '@ton/tolk-js'
import { childScript, repository } from '../support/childScript.ts'
import { pieceFolder, piecesIn, readPieces, runPiece } from '../support/docPieces.ts'
import { counterCode } from './counter/Counter.ts'
import { type Measured, runMeasured } from './measuredChild.ts'

const folder = join(repository, 'test/testing/counter')
const readSample = (name: string): string => readFileSync(join(folder, name), 'utf8')

test('a test for the sandbox runs on the embedded network after a change of its setup lines', async (context) => {
  const [sandbox, network] = ['counterSandbox', 'counterNetwork'].map((name) => readSample(`${name}.ts`).split('\n'))
  const firstTest = (lines: readonly string[]): number => lines.findIndex((line) => /^ {2}it\(/.test(line))
  assert.deepEqual(network!.slice(firstTest(network!)), sandbox!.slice(firstTest(sandbox!)))
  const show = (name: string, { wallMs, cpuMs, output }: Measured): void => {
    assert.match(output, /^# pass 6$/m)
    assert.match(output, /^# fail 0$/m)
    context.diagnostic(`${name}: ${Math.round(wallMs)} ms, CPU ${cpuMs} ms`)
  }
  show('sandbox', await runMeasured(childScript(import.meta.dirname, 'counter/counterSandbox')))
  show('embedded network', await runMeasured(childScript(import.meta.dirname, 'counter/counterNetwork')))
})

test('the setup lines of the guide are those of the sample', () => {
  const blocks = [...readFileSync(join(repository, 'docs/testing.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)]
  const toLines = (text: string): string[] =>
    text
      .replaceAll('../../../src/cli/dev/startNetwork.ts', 'chaincenter')
      .replace(/import \{\n([^}]*),\n\}/g, (_, names: string) => `import { ${names.trim().replaceAll(/,\s+/g, ', ')} }`)
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
  for (const [at, name] of ['counterSandbox.ts', 'counterNetwork.ts'].entries()) {
    const sample = new Set(toLines(readSample(name)))
    const lines = toLines(blocks[at + 1]![1]!)
    assert.ok(lines.length > 6)
    assert.deepEqual(
      lines.filter((line) => !sample.has(line)),
      [],
      name,
    )
  }
})

test('the programs of README and docs/testing.md run', async (t) => {
  const files = pieceFolder(t)
  for (const name of ['wrappers', 'coverage']) mkdirSync(join(files, name))
  symlinkSync(join(folder, 'Counter.ts'), join(files, 'wrappers/Counter.ts'))
  const [, , readme] = piecesIn(readPieces('README.md'), 'ts')
  const [whole, , , controls, assertions, log, , gas, coverage] = piecesIn(readPieces('docs/testing.md'), 'ts')
  const refused = "findTransaction(await counter.sendReset(other.getSender(), toNano('0.05')), "
  const used = `
import { assertNoTransaction, findTransaction } from 'chaincenter/testing'
test('the rest of the page', async () => {
  const [alice, other] = await Promise.all(['alice', 'other'].map((name) => network.wallet(name)))
  const counter = network.open(Counter.createFromConfig({ id: 7, counter: 0, owner: alice.address }))
  const result = await counter.sendIncrease(alice.getSender(), { increaseBy: 1, value: toNano('0.05') })
  ${assertions!.replace('findTransaction(result, ', refused)}
  ${log}
  ${controls}
})
`
  const before = `
import { writeFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { Address } from '@ton/core'
import { startNetwork } from 'chaincenter'
import { Counter } from './wrappers/Counter.ts'
`
  const covered = `
const owner = Address.parse('0:${'1'.repeat(64)}')
const counter = network.open(Counter.createFromConfig({ id: 7, counter: 0, owner }))
test('the counter is used', async () => {
  const alice = await network.wallet('alice')
  await counter.sendIncrease(alice.getSender(), { increaseBy: 1, value: 50_000_000n })
})
after(() => network.close())
`
  const programs = {
    readme: `${readme}\nconsole.log('sent', transactions.length)`,
    page: whole + used + gas,
    covered: before + coverage + covered,
  }
  const said = (await Promise.all(Object.entries(programs).map(([name, text]) => runPiece(files, name, text)))).join('')
  assert.match(said, /^sent \d+$/m)
  assert.match(said, /^# pass 2$/m)
  assert.doesNotMatch(said, /^# fail [1-9]/m)
  assert.match(said, /instructions \d+\/\d+ /)
  for (const name of ['counter.gas.json', 'coverage/counter.info', 'coverage/counter.html']) {
    assert.ok(readFileSync(join(files, name), 'utf8').length > 50, name)
  }
})

test('the code of the sample is what its source compiles to', async () => {
  const result = await runTolkCompiler({
    entrypointFileName: 'counter.tolk',
    fsReadCallback: () => readSample('counter.tolk'),
  })
  assert.ok(result.status === 'ok')
  assert.equal(result.codeBoc64, counterCode)
})
