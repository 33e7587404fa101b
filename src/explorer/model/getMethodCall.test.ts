import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Address, beginCell, Cell } from '@ton/core'
import { findAddress, findText } from './CellCursor.ts'
import { readCellTree } from './cellTree.ts'
import { formatCall, parseCall, toStackArgument } from './getMethodCall.ts'
import { findSignature, methodIdOf } from './methods.ts'

const raw = `0:${'5A'.repeat(31)}01`
const friendly = Address.parse(raw).toString()

const sliceOf = (text: string, kind?: Parameters<typeof toStackArgument>[1]) => {
  const { type, value } = toStackArgument(text, kind)
  assert.equal(type, 'slice')
  return Cell.fromBase64(value).beginParse()
}

test('a call is read and written as people write it', () => {
  assert.deepEqual(parseCall('seqno'), { method: 'seqno', args: [] })
  assert.deepEqual(parseCall(' 85143 ( ) '), { method: '85143', args: [] })
  const call = parseCall('dnsresolve("a, b", 0)')
  assert.deepEqual(call, { method: 'dnsresolve', args: ['"a, b"', '0'] })
  assert.equal(formatCall(call), 'dnsresolve("a, b", 0)')
  for (const text of ['', '(1)', 'a b', `f(${'1,'.repeat(40)})`]) assert.throws(() => parseCall(text), Error)
})

test('arguments are what the virtual machine takes', () => {
  assert.ok(sliceOf(friendly).loadAddress().equals(Address.parse(raw)))
  assert.ok(
    sliceOf(`-1:${'33'.repeat(32)}`, 'address')
      .loadAddress()
      .equals(Address.parse(`-1:${'33'.repeat(32)}`)),
  )
  assert.equal(sliceOf('"hello"').loadBuffer(5).toString(), 'hello')
  assert.equal(sliceOf('alice.shop', 'domain').loadBuffer(11).toString(), 'shop\0alice\0')
  assert.equal(sliceOf('""', 'domain').loadBuffer(1).toString(), '\0')
  assert.deepEqual(toStackArgument('-0x1f'), { type: 'num', value: '-0x1f' })
  const boc = beginCell().storeUint(7, 5).endCell().toBoc()
  assert.deepEqual(toStackArgument(boc.toString('hex')), { type: 'cell', value: boc.toString('base64') })
  assert.equal(toStackArgument(`slice:${boc.toString('base64')}`).type, 'slice')
})

test('what is no argument says so', () => {
  assert.throws(() => toStackArgument('nonsense'), /not a valid argument/)
  assert.throws(() => toStackArgument('12', 'address'), /not a valid address/)
  assert.throws(() => toStackArgument(friendly, 'int'), /not a number/)
  assert.throws(() => toStackArgument('12', 'cell'), /not a valid bag of cells/)
  assert.throws(() => toStackArgument(`"${'x'.repeat(200)}"`), /at most 127 bytes/)
})

test('addresses and text are found in cells', () => {
  const read = (cell: Cell) => readCellTree(cell.toBoc().toString('base64'))!
  assert.equal(findAddress(read(beginCell().storeAddress(Address.parse(raw)).endCell())), raw)
  assert.equal(findAddress(read(beginCell().storeAddress(null).endCell())), null)
  assert.equal(findAddress(read(beginCell().storeUint(1, 267).endCell())), undefined)
  assert.equal(findText(read(beginCell().storeStringTail('é'.repeat(150)).endCell())), 'é'.repeat(150))
  assert.equal(findText(read(beginCell().storeUint(0xff, 8).endCell())), undefined)
  assert.equal(findText(read(beginCell().storeUint(1, 3).endCell())), undefined)
})

test('the table names arguments and results by number', () => {
  assert.equal(methodIdOf('seqno'), 85_143)
  assert.deepEqual(findSignature(methodIdOf('get_wallet_address')), {
    name: 'get_wallet_address',
    args: [{ name: 'owner', kind: 'address' }],
    results: [{ name: 'jetton_wallet', kind: 'address' }],
  })
  assert.equal(findSignature(methodIdOf('get_sale_data'))?.results, undefined)
  assert.equal(findSignature(1), undefined)
})
