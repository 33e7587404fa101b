import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Address, beginCell, loadMessage, storeMessage, storeStateInit } from '@ton/core'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import { toHex } from '../../primitives/hex.ts'
import { type Cell, wholeSlice } from '../cell/Cell.ts'
import { CellWriter, emptyCell } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole } from '../cell/wholeCell.ts'
import {
  bodyHash,
  type Message,
  type MessageInit,
  messageHash,
  normalizedExternalHash,
  readMessage,
  stateInitHash,
} from './Message.ts'
import { ADDR_NONE, type MsgAddressExt } from './MsgAddress.ts'

// TEP-467 publishes this example.
const dest = Address.parse('EQDequZRihH9JMHanFOtOK7dNfSmbRvvTx4wgUctknapINd9')
const published = 'ce70ed4db0fd40aee2bd62b7d92707e8860762737872245687cc2381954cae20'
const bodyBuilder = () => beginCell().storeUint(0, 32).storeStringTail('Normalized hash example')
const body = fromCoreCell(bodyBuilder().endCell())

const external = (fields: Partial<Message>, importFee = 0n, source: MsgAddressExt = ADDR_NONE): Message => ({
  info: {
    kind: 'externalIn',
    source,
    destination: { kind: 'std', workchain: dest.workChain, hash: new Uint8Array(dest.hash), anycast: undefined },
    importFee,
  },
  init: undefined,
  body,
  ...fields,
})

const code = new CellWriter().writeUint(0xff00, 16).toCell()
const init: MessageInit = {
  inRef: true,
  value: {
    fixedPrefixLength: undefined,
    special: { tick: true, tock: false },
    code,
    data: emptyCell,
    library: undefined,
  },
}

test('the published example has its published hash, however the message is packed', () => {
  const source: MsgAddressExt = { kind: 'extern', bits: 9, value: Uint8Array.of(0xaa, 0x80) }
  const packings = [
    external({}),
    external({ body: wholeSlice(body) }),
    external({ init }),
    external({ init: { ...init, inRef: false }, body: wholeSlice(body) }, 10n ** 9n, source),
  ]
  for (const message of packings) assert.equal(toHex(normalizedExternalHash(message)), published)
  const hashes = packings.map((message) => toHex(messageHash(message)))
  assert.equal(new Set(hashes).size, packings.length)
})

test('other bodies and destinations have other hashes', () => {
  const otherBody = external({ body: emptyCell })
  const { info } = external({})
  assert.ok(info.kind === 'externalIn' && info.destination.kind === 'std')
  const otherDest = external({ info: { ...info, destination: { ...info.destination, workchain: -1 } } })
  const hashes = [external({}), otherBody, otherDest].map((message) => toHex(normalizedExternalHash(message)))
  assert.equal(new Set(hashes).size, 3)
})

test('only external-in messages have a normalized hash', () => {
  const out = beginCell().storeUint(0b11, 2).storeAddress(dest).storeAddress(null).storeUint(0, 96).storeUint(0, 2)
  const message = readWhole(fromCoreCell(out.endCell()), readMessage, 'A message')
  assert.throws(() => normalizedExternalHash(message), CellError)
})

test('hashes of messages, bodies and inits are those of @ton/core', () => {
  const stateInit = { special: { tick: true, tock: false }, code: toCoreCell(code), data: toCoreCell(emptyCell) }
  const theirs = beginCell()
    .store(
      storeMessage(
        { info: { type: 'external-in', dest, importFee: 3n }, init: stateInit, body: toCoreCell(body) },
        { forceRef: true },
      ),
    )
    .endCell()
  assert.equal(toHex(messageHash(external({ init }, 3n))), theirs.hash().toString('hex'))
  const read = readWhole(fromCoreCell(theirs), readMessage, 'A message')
  assert.equal(toHex(messageHash(read)), theirs.hash().toString('hex'))
  const loaded = loadMessage(theirs.beginParse())
  assert.equal(toHex(bodyHash(read.body)), loaded.body.hash().toString('hex'))
  const initCell: Cell = fromCoreCell(beginCell().store(storeStateInit(loaded.init!)).endCell())
  assert.equal(toHex(stateInitHash(read.init!.value)), toHex(initCell.hash()))
})

test('an empty body has the hash of the empty cell, wherever it stands', () => {
  const empty = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7'
  assert.equal(toHex(bodyHash(emptyCell)), empty)
  assert.equal(toHex(bodyHash(wholeSlice(emptyCell))), empty)
  const inline = beginCell().storeUint(0b1000, 4).storeAddress(dest).storeCoins(0).storeUint(0, 2).endCell()
  assert.equal(toHex(bodyHash(readWhole(fromCoreCell(inline), readMessage, 'A message').body)), empty)
})
