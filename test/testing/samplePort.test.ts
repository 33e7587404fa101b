import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runTolkCompiler } from '@ton/tolk-js'
import { childScript, repository } from '../support/childScript.ts'
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

test('the code of the sample is what its source compiles to', async () => {
  const result = await runTolkCompiler({
    entrypointFileName: 'counter.tolk',
    fsReadCallback: () => readSample('counter.tolk'),
  })
  assert.ok(result.status === 'ok')
  assert.equal(result.codeBoc64, counterCode)
})
