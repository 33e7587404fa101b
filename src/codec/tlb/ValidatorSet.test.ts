import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Builder, beginCell, Dictionary } from '@ton/core'
import { fromCoreCell } from '../../../test/support/coreCell.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { toHex } from '../../primitives/hex.ts'
import { Dict } from '../cell/Dict.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import {
  listValidators,
  readValidatorSet,
  type ValidatorDescr,
  type ValidatorSet,
  validatorListType,
  writeValidatorSet,
} from './ValidatorSet.ts'

const bytes = (fill: number): Uint8Array => new Uint8Array(32).fill(fill)

const validators: ValidatorDescr[] = [
  { publicKey: bytes(1), weight: 17n, adnlAddress: undefined },
  { publicKey: bytes(2), weight: 2n ** 63n, adnlAddress: bytes(0xad) },
  { publicKey: bytes(3), weight: 1n, adnlAddress: bytes(0xae) },
]

const list = Dict.of(
  validatorListType,
  validators.map((validator, k) => [k, validator]),
)
const plainSet: ValidatorSet = { utimeSince: 10, utimeUntil: 20, total: 3, main: 2, totalWeight: undefined, list }
const weighedSet: ValidatorSet = { ...plainSet, totalWeight: 18n + 2n ** 63n }

const coreList = Dictionary.empty<number, ValidatorDescr>(Dictionary.Keys.Uint(16), {
  serialize: ({ publicKey, weight, adnlAddress }, b: Builder) => {
    b.storeUint(adnlAddress === undefined ? 0x53 : 0x73, 8)
      .storeUint(0x8e81278a, 32)
      .storeBuffer(Buffer.from(publicKey))
    b.storeUint(weight, 64)
    if (adnlAddress !== undefined) b.storeBuffer(Buffer.from(adnlAddress))
  },
  parse: () => assert.fail('Not read by this library.'),
})
for (const [k, validator] of validators.entries()) coreList.set(k, validator)

const coreHead = (tag: number, total = 3, main = 2): Builder =>
  beginCell().storeUint(tag, 8).storeUint(10, 32).storeUint(20, 32).storeUint(total, 16).storeUint(main, 16)

test('both forms are written as the schema says and read back', () => {
  const plain = writeWhole(writeValidatorSet, plainSet)
  const weighed = writeWhole(writeValidatorSet, weighedSet)
  const corePlain = coreHead(0x11).storeDictDirect(coreList).endCell()
  const coreWeighed = coreHead(0x12)
    .storeUint(18n + 2n ** 63n, 64)
    .storeDict(coreList)
    .endCell()
  assert.equal(toHex(plain.hash()), corePlain.hash().toString('hex'))
  assert.equal(toHex(weighed.hash()), coreWeighed.hash().toString('hex'))
  assert.deepEqual(toPlain(readWhole(plain, readValidatorSet, 'It')), toPlain(plainSet))
  assert.deepEqual(toPlain(readWhole(weighed, readValidatorSet, 'It')), toPlain(weighedSet))
})

test('validators are listed in their order, if they are as many as the set says', () => {
  assert.deepEqual(listValidators(weighedSet), validators)
  assert.throws(() => listValidators({ ...weighedSet, total: 4 }), /says it has 4 validators, it holds 3/)
  assert.throws(() => listValidators({ ...weighedSet, list: list.delete(1) }), /Validator 1 is missing, 2 follows/)
})

test('what is not a validator set is refused with our error', () => {
  const cases: [string, Builder, RegExp][] = [
    ['another tag', coreHead(0x13).storeUint(0, 65), /A ValidatorSet starts with #11 or #12, but got #13/],
    ['no validator of the masterchain', coreHead(0x12, 3, 0).storeUint(0, 65), /1 to all of its 3 validators/],
    ['more of them than validators', coreHead(0x12, 3, 4).storeUint(0, 65), /it says 4/],
    ['no list', coreHead(0x11), /more bits were expected/],
  ]
  for (const [name, builder, message] of cases) {
    const cell = fromCoreCell(builder.endCell())
    const isOurs = (error: unknown) => error instanceof CellError && message.test(error.message)
    assert.throws(() => readWhole(cell, readValidatorSet, 'It'), isOurs, name)
  }
  assert.throws(() => writeWhole(writeValidatorSet, { ...plainSet, main: 9 }), CellError)
  const one = beginCell()
    .storeUint(0b110, 3)
    .storeUint(16, 5)
    .storeUint(0x54, 8)
    .storeUint(0x8e81278a, 32)
    .storeUint(0, 320)
  const wrongValidator = coreHead(0x12, 1, 1).storeUint(0, 64).storeMaybeRef(one.endCell()).endCell()
  const set = readWhole(fromCoreCell(wrongValidator), readValidatorSet, 'It')
  assert.throws(() => listValidators(set), /A ValidatorDescr starts with #53 or #73, but got #54/)
})
