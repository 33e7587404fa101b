import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callCode, createTestMachine, sampleContext, sampleVmConfig } from '../../test/support/vmSamples.ts'
import { describeVersionGap } from './describeVersionGap.ts'
import { SUPPORTED_VERSION } from './supportedVersion.ts'

for (const { version, expected } of [
  { version: 4, expected: undefined },
  { version: 13, expected: undefined },
  { version: 14, expected: /^The network runs global version 14, .* up to 13: .* may differ/ },
]) {
  test(`a network of version ${version} is ${expected === undefined ? 'nothing to tell of' : 'told of'}`, () => {
    const gap = describeVersionGap(13, sampleVmConfig({ version }))
    if (expected === undefined) assert.equal(gap, undefined)
    else assert.match(gap ?? '', expected)
  })
}

test('the emulator is the build whose version is known, and has instructions only from their version on', async (t) => {
  const { machine, logLines } = await createTestMachine(t)
  assert.equal(machine.supportedVersion, SUPPORTED_VERSION)
  // BTOS came with version 12.
  const codes = await Promise.all(
    [11, 12].map(async (version) => {
      const context = sampleContext({ config: sampleVmConfig({ version }) })
      return (await machine.runMethod(callCode('30 C8 CF50', { context }))).exitCode
    }),
  )
  assert.deepEqual(codes, [6, 0])
  assert.deepEqual(logLines, [])
})
