import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { contractAt, findAmong, localnetAt, runnerOf } from '../../test/support/contractRunner.ts'
import { haveFixtures, listFixtures, readFixture, readFixtureJson } from '../../test/support/fixtures.ts'
import { createTestMachine, sampleContext } from '../../test/support/vmSamples.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import { readShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { type Address, parseAddress } from '../primitives/Address.ts'
import { bytesToBigint } from '../primitives/bytes.ts'
import { fromHex } from '../primitives/hex.ts'
import { findWalletFacts, findWalletKind } from './wallets.ts'

const { machine } = await createTestMachine({ after })

type Recorded = {
  readonly request: { readonly query?: { readonly address?: string; readonly seqno?: number } }
  readonly status: number
  readonly response: { readonly result?: Record<string, unknown> }
  readonly pinned: boolean
}

const listPinned = (endpoint: string) =>
  listFixtures(`localnet/api-v2/${endpoint}`, '.json').flatMap((path) => {
    const { request, status, response, pinned } = readFixtureJson<Recorded>(path)
    const { address, seqno } = request.query ?? {}
    // The recorded server took a digit too few.
    if (address?.length === 65) return []
    if (!pinned || status !== 200 || typeof address !== 'string' || typeof seqno !== 'number' || seqno > 400) return []
    return [{ path, address, seqno, result: response.result! }]
  })

test('wallets of the recorded network are known as the recorded server knew them', () => {
  const questions = listPinned('python/getWalletInformation')
  const heights = localnetAt(questions.map(({ seqno }) => seqno))
  const types = new Set<string>()
  for (const { path, address, seqno, result } of questions) {
    const contract = heights.get(seqno)!.find(parseAddress(address))
    const kind = contract === undefined ? undefined : findWalletKind(contract.code.hash())
    assert.equal(kind?.walletType, result['wallet_type'], path)
    assert.equal(kind?.walletType !== undefined, result['wallet'], path)
    if (kind?.walletType === undefined) continue
    types.add(kind.walletType)
    const facts = findWalletFacts(kind, contract!.data)!
    assert.equal(facts.seqno, result['seqno'], path)
    const walletId = result['wallet_id'] as number | undefined
    assert.equal(facts.walletId, walletId === undefined ? undefined : walletId | 0, path)
    assert.equal(facts.signatureAllowed, result['is_signature_allowed'], path)
  }
  assert.deepEqual([...types].sort(), ['wallet v3 r1', 'wallet v3 r2', 'wallet v4 r2', 'wallet v5 r1'])
})

test('kinds of accounts and their revisions are those of the recorded server', () => {
  const questions = listPinned('python/getExtendedAddressInformation')
  const heights = localnetAt(questions.map(({ seqno }) => seqno))
  const types = new Set<unknown>()
  for (const { path, address, seqno, result } of questions) {
    const state = result['account_state'] as Record<string, unknown>
    const contract = heights.get(seqno)!.find(parseAddress(address))
    if (contract === undefined) {
      assert.equal(state['@type'], 'uninited.accountState', path)
      continue
    }
    const kind = findWalletKind(contract.code.hash())
    types.add(state['@type'])
    assert.equal(kind?.accountState?.type ?? 'raw.accountState', state['@type'], path)
    assert.equal(kind?.accountState?.revision ?? 0, result['revision'], path)
    if (kind?.accountState === undefined) continue
    const facts = findWalletFacts(kind, contract.data)!
    assert.deepEqual([facts.seqno, String(facts.walletId)], [state['seqno'], state['wallet_id']], path)
  }
  assert.deepEqual([...types].sort(), ['raw.accountState', 'wallet.v3.accountState', 'wallet.v4.accountState'])
})

type KnownCode = { readonly file: string; readonly name: string; readonly family: string; readonly code_hash: string }

test('codes of wallets are found by the names that others gave them', (t) => {
  if (!haveFixtures(t, 'mainnet/contracts/index.json')) return
  const codes = readFixtureJson<readonly KnownCode[]>('mainnet/contracts/index.json')
  const names: string[] = []
  for (const { name, family, code_hash: hash } of codes) {
    if (!family.startsWith('wallets') || !name.startsWith('Wallet')) continue
    const expected = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
    assert.equal(findWalletKind(fromHex(hash))?.interfaceName, expected, name)
    names.push(name)
  }
  assert.ok(names.length >= 17, `only ${names.length} codes were looked up`)
})

/** What the wallet itself says in its get-methods. */
const askWallet = async (address: Address, code: Cell, data: Cell) => {
  const contract = contractAt(address, {
    code,
    data,
    fixedPrefixLength: undefined,
    special: undefined,
    library: undefined,
  })
  const run = runnerOf(machine, sampleContext(), findAmong([contract]))
  const ask = async (method: string): Promise<bigint | undefined> => {
    const { exitCode, stack } = await run(address, method, [])
    const [entry] = stack
    return exitCode === 0 && entry?.kind === 'int' ? entry.value : undefined
  }
  return { seqno: await ask('seqno'), key: await ask('get_public_key'), id: await ask('get_subwallet_id') }
}

type IndexedAccount = {
  readonly file: string
  readonly address: string
  readonly status: string
  readonly form: string
}

const readAccount = ({ file, form }: IndexedAccount) => {
  // Two of them come from writers that state wrong level masks.
  const root = decodeSingleBoc(readFixture(`mainnet/accounts/${file}`), { lenient: true })
  return openAccount(form === 'shard_account' ? readShardAccount(openCell(root)).account : root)
}

test('what is read from the data of real wallets is what they answer themselves', async (t) => {
  if (!haveFixtures(t, 'mainnet/accounts/index.json')) return
  const compared = { seqno: 0, key: 0, id: 0 }
  const kinds = new Set<string>()
  const compare = async (address: Address, code: Cell, data: Cell, where: string) => {
    const kind = findWalletKind(code.hash())
    if (kind === undefined) return
    const facts = findWalletFacts(kind, data)
    assert.ok(facts !== undefined, where)
    const { seqno, key, id } = await askWallet(address, code, data)
    kinds.add(kind.interfaceName ?? kind.codeHash)
    if (seqno !== undefined && ++compared.seqno) assert.equal(facts.seqno, Number(seqno), where)
    if (key !== undefined && ++compared.key) assert.equal(bytesToBigint(facts.publicKey!), key, where)
    if (id !== undefined && ++compared.id) assert.equal(facts.walletId! >>> 0, Number(id), where)
  }
  for (const entry of readFixtureJson<readonly IndexedAccount[]>('mainnet/accounts/index.json')) {
    if (entry.status !== 'active') continue
    const account = readAccount(entry)
    if (account.kind !== 'account' || account.state.kind !== 'active') continue
    const { code, data } = account.state.init
    await compare(parseAddress(entry.address), code!, data!, entry.file)
  }
  for (const path of listFixtures('mainnet/contracts/wallets', '.data.boc')) {
    const code = decodeSingleBoc(readFixture(path.replace('.data.boc', '.boc')))
    await compare({ workchain: 0, hash: new Uint8Array(32) }, code, decodeSingleBoc(readFixture(path)), path)
  }
  t.diagnostic(`${JSON.stringify(compared)} ${[...kinds].sort().join(' ')}`)
  assert.ok(compared.seqno >= 40 && compared.key >= 40 && compared.id >= 20, JSON.stringify(compared))
})
