import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell } from '@ton/core'
import { filled } from '../../../test/support/sampleMessages.ts'
import { toHex } from '../../primitives/hex.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import {
  type CryptoSignature,
  readCryptoSignature,
  readCryptoSignaturePair,
  writeCryptoSignature,
  writeCryptoSignaturePair,
} from './BlockSignatures.ts'

const bytes = (fill: number): Uint8Array => new Uint8Array(64).fill(fill)
const simple: CryptoSignature = { kind: 'simple', signature: bytes(1) }
const certified = (signature: CryptoSignature, fill: number): CryptoSignature => ({
  kind: 'chained',
  signedCertificate: { certificate: { tempKey: filled(fill), validSince: 10, validUntil: 20 }, signature },
  signature: bytes(fill + 1),
})
const chained = certified(simple, 2)

const coreSimple = (fill: number) => beginCell().storeUint(5, 4).storeBuffer(Buffer.alloc(64, fill))
const coreCertificate = beginCell()
  .storeUint(4, 4)
  .storeUint(0x8e81278a, 32)
  .storeBuffer(Buffer.alloc(32, 2))
  .storeUint(10, 32)
  .storeUint(20, 32)
  .storeBuilder(coreSimple(1))

test('a signature of a node is its short id and 64 bytes', () => {
  const pair = { nodeIdShort: filled(9), signature: simple }
  const cell = writeWhole(writeCryptoSignaturePair, pair)
  const core = beginCell().storeBuffer(Buffer.alloc(32, 9)).storeBuilder(coreSimple(1)).endCell()
  assert.equal(toHex(cell.hash()), core.hash().toString('hex'))
  assert.deepEqual(readWhole(cell, readCryptoSignaturePair, 'A CryptoSignaturePair'), pair)
})

test('a signature by a temporary key carries the certificate of that key', () => {
  const cell = writeWhole(writeCryptoSignature, chained)
  const core = beginCell().storeUint(0xf, 4).storeRef(coreCertificate).storeBuilder(coreSimple(3)).endCell()
  assert.equal(toHex(cell.hash()), core.hash().toString('hex'))
  assert.deepEqual(readWhole(cell, readCryptoSignature, 'A CryptoSignature'), chained)
})

test('a certificate may itself be signed by a temporary key', () => {
  let signature: CryptoSignature = simple
  for (let k = 0; k < 100; k++) signature = certified(signature, k)
  const cell = writeWhole(writeCryptoSignature, signature)
  assert.equal(cell.depth(), 100)
  assert.deepEqual(readWhole(cell, readCryptoSignature, 'A CryptoSignature'), signature)
})

test('other tags are refused', () => {
  const read = (w: CellWriter) => readWhole(w.toCell(), readCryptoSignature, 'A CryptoSignature')
  assert.throws(
    () => read(new CellWriter().writeUint(6, 4).writeBytes(bytes(1))),
    new CellError('A CryptoSignature starts with #5 or #f, but got #6.'),
  )
  const inner = writeWhole(writeCryptoSignature, chained).ref(0)
  assert.throws(
    () => read(new CellWriter().writeUint(0xf, 4).writeRef(inner).writeUint(0xf, 4).writeBytes(bytes(1))),
    CellError,
  )
})
