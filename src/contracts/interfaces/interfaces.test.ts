import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveFixtures, readFixture, readFixtureJson } from '../../../test/support/fixtures.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { getMethodId } from '../../codec/tlb/VmValue.ts'
import { compiledCode } from '../../devnet/contracts/contractInit.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { walletKinds } from '../wallets.ts'
import { contractInterfaces } from './contractInterfaces.ts'
import { findMethodIds, listInterfaces } from './listInterfaces.ts'

const ids = (...names: string[]): number[] => names.map(getMethodId).sort((a, b) => a - b)

test('the methods of a code are those of its source', () => {
  const own = ids('get_jetton_data', 'get_wallet_address')
  // What a code calls inside itself is among them.
  assert.deepEqual(findMethodIds(compiledCode('jettonMinter')), [0, 1, ...own])
  const wallet = ids('seqno', 'get_public_key')
  assert.deepEqual(findMethodIds(compiledCode('faucet')), [0, ...wallet, 0x7ffff])
})

test('codes that begin otherwise have no list of methods', () => {
  const start = () => new CellWriter().writeUint(0xff00, 16).writeUint(0b11110100101001, 14)
  assert.equal(findMethodIds(emptyCell), undefined)
  assert.equal(findMethodIds(new CellWriter().writeUint(0xff0020dd, 32).toCell()), undefined)
  assert.equal(findMethodIds(start().writeUint(19, 10).toCell()), undefined)
  assert.equal(findMethodIds(start().writeUint(19, 10).writeRef(emptyCell).toCell()), undefined)
  assert.equal(findMethodIds(start().writeUint(0, 10).writeRef(emptyCell).toCell()), undefined)
  assert.equal(findMethodIds(start().writeUint(1023, 10).writeRef(emptyCell).toCell()), undefined)
  assert.equal(findMethodIds(new CellWriter().writeUint(2, 8).writeBytes(filled(1)).toExoticCell()), undefined)
  // Each level one cell, all of 2^19 methods.
  let node = new CellWriter().writeUint(0, 2).toCell()
  for (let k = 0; k < 19; k++) node = new CellWriter().writeUint(0, 2).writeRef(node).writeRef(node).toCell()
  assert.equal(findMethodIds(start().writeUint(19, 10).writeRef(node).toCell()), undefined)
})

test('a known code is that kind alone, another one all that it has the methods of', () => {
  const jetton = ids('get_jetton_data', 'get_wallet_address')
  assert.deepEqual(listInterfaces(filled(1), jetton), ['jetton_master'])
  assert.deepEqual(listInterfaces(filled(1), ids('get_nft_data', 'dnsresolve', 'get_editor')), [
    'dns',
    'editable',
    'nft_item',
  ])
  assert.deepEqual(listInterfaces(filled(1), undefined), [])
  assert.deepEqual(listInterfaces(filled(1), [0]), [])
  for (const { codeHash, interfaceName } of walletKinds) {
    if (interfaceName !== undefined) assert.deepEqual(listInterfaces(fromBase64(codeHash), jetton), [interfaceName])
  }
  for (const { name, codeHashes = [] } of contractInterfaces) {
    for (const hash of codeHashes) assert.deepEqual(listInterfaces(fromBase64(hash), jetton), [name])
  }
})

test('every name is there once and can be found', () => {
  const names = contractInterfaces.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  const wallets = new Set(walletKinds.map(({ interfaceName }) => interfaceName))
  for (const { name, codeHashes, methods } of contractInterfaces) {
    assert.ok(codeHashes !== undefined || methods !== undefined || wallets.has(name), name)
  }
})

type KnownCode = { readonly file: string; readonly name: string; readonly is_library_cell: boolean }

test('recorded codes are called as they are known', (t) => {
  if (!haveFixtures(t, 'mainnet/contracts/index.json')) return
  const expected: Record<string, string> = {
    JettonV1Master: 'jetton_master',
    NftV1Collection: 'nft_collection',
    NftV1EditableItem: 'editable',
    SbtV1Item: 'sbt',
    MultisigV2: 'multisig_v2',
    WalletVesting: 'wallet_vesting',
    DnsRootResolver: 'dns',
    NominatorPool: 'tv_pool',
  }
  const seen = new Set<string>()
  for (const { file, name, is_library_cell } of readFixtureJson<readonly KnownCode[]>('mainnet/contracts/index.json')) {
    const kind = expected[name]
    if (kind === undefined || is_library_cell) continue
    const code = decodeSingleBoc(readFixture(`mainnet/contracts/${file}`))
    const found = listInterfaces(code.hash(), findMethodIds(code))
    assert.ok(found.includes(kind), `${file}: ${found.join(', ')}`)
    seen.add(name)
  }
  assert.deepEqual([...seen].sort(), Object.keys(expected).sort())
})
