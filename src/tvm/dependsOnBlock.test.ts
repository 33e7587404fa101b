import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { amount, filled } from '../../test/support/sampleMessages.ts'
import {
  callCode,
  codeOf,
  createTestMachine,
  largeParam,
  libraryReference,
  sampleContext,
  sampleVmConfig,
} from '../../test/support/vmSamples.ts'
import type { MethodCall, MethodRun, PreviousBlocks, RunContext } from '../chain/ports.ts'
import { emptyCell } from '../codec/cell/CellWriter.ts'
import { encodeVmStack } from '../codec/tlb/VmStack.ts'
import { masterchain } from '../primitives/BlockId.ts'
import { toHex } from '../primitives/hex.ts'
import { wholeShard } from '../primitives/shard.ts'

const { machine } = await createTestMachine({ after })

const blocks = (byte: number): PreviousBlocks => {
  const block = {
    workchain: masterchain,
    shard: wholeShard,
    seqno: byte,
    rootHash: filled(byte),
    fileHash: filled(byte + 1),
  }
  return { last: [block], keyBlock: block, lastHundreds: [block] }
}

/** Two moments of one network that have nothing in common but what their rules are. */
const surroundings = ([1, 2] as const).map((moment) => ({
  balance: amount(1000n * BigInt(moment)),
  context: sampleContext({
    config: sampleVmConfig({ more: [[100, moment === 1 ? emptyCell : largeParam()]] }),
    now: 1_700_000_000 + moment,
    randomSeed: filled(moment),
    previousBlocks: blocks(moment),
  }),
}))

const runAt = (hex: string, { balance, context }: (typeof surroundings)[number]): Promise<MethodRun> => {
  const call: MethodCall = callCode(hex, { contract: { balance }, context })
  return machine.runMethod(call)
}

const outcome = ({ exitCode, gasUsed, stack }: MethodRun): string =>
  `${exitCode} ${gasUsed} ${toHex(encodeVmStack(stack))}`

const digits = (value: number, length: number): string => value.toString(16).padStart(length, '0')

const range = (prefix: string, length: number): string[] =>
  Array.from({ length: 16 ** length }, (_, at) => `${prefix}${digits(at, length)}`)

/** Everything in which an instruction can look around itself: registers, globals, parameters, fees, messages. */
const instructions = [
  ...range('ED', 2),
  ...range('F8', 2),
  ...['F8340', 'F8350', 'F8810', 'F8811'].flatMap((prefix) => range(prefix, 1)),
  ...range('FB', 2),
]

// The number of the method goes; three small numbers and a cell are there to be taken.
const withStack = (instruction: string): string => `30 C8C9 71 72 70 ${instruction}`
const withoutStack = (instruction: string): string => `30 ${instruction}`

test('no instruction that looks at its block ends differently without saying so', async () => {
  const silent: string[] = []
  let told = 0
  for (const instruction of instructions) {
    for (const wrap of [withStack, withoutStack]) {
      const [one, two] = await Promise.all(surroundings.map((each) => runAt(wrap(instruction), each)))
      if (one!.dependsOnBlock !== two!.dependsOnBlock) silent.push(`${instruction} is told of once only`)
      if (one!.dependsOnBlock) told++
      else if (outcome(one!) !== outcome(two!)) silent.push(instruction)
    }
  }
  assert.deepEqual(silent, [])
  assert.ok(told > 60, `only ${told} runs were said to depend on their block`)
})

const cases: readonly { readonly name: string; readonly hex: string; readonly expected: boolean }[] = [
  { name: 'a number', hex: '30 71', expected: false },
  { name: 'its data', hex: '30 ED44', expected: false },
  { name: 'its address', hex: '30 F828', expected: false },
  { name: 'a global of its own', hex: '30 71 F861 F841', expected: false },
  { name: 'the time', hex: '30 F823', expected: true },
  { name: 'its balance', hex: '30 F827', expected: true },
  { name: 'a random number', hex: '30 F810', expected: true },
  { name: 'the configuration', hex: '30 F829', expected: true },
  { name: 'the last blocks', hex: '30 F83400', expected: true },
  { name: 'the price of gas', hex: '30 71 70 F836', expected: true },
  { name: 'the register with all of it', hex: '30 ED47', expected: true },
  { name: 'the time, after which it fails', hex: '30 F823 F223', expected: true },
]

for (const { name, hex, expected } of cases) {
  test(`${name}: ${expected ? 'depends on the block' : 'is the same after every block'}`, async () => {
    const run = await machine.runMethod(callCode(hex))
    assert.equal(run.dependsOnBlock, expected)
  })
}

test('a library may be gone with the next block', async () => {
  const library = codeOf('71')
  const code = libraryReference(library.hash())
  const run = async (findLibrary: RunContext['findLibrary']): Promise<MethodRun> =>
    machine.runMethod(callCode('', { contract: { code }, context: sampleContext({ findLibrary }) }))
  const [found, missed] = [await run(() => library), await run(() => undefined)]
  assert.deepEqual([found.exitCode, found.dependsOnBlock], [0, true])
  assert.deepEqual([missed.exitCode, missed.dependsOnBlock], [9, true])
})
