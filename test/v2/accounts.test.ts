import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Address, Cell, loadShardAccount } from '@ton/core'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { verifyAccountState } from '../../src/node/proofs/accountProofs.ts'
import { fromBase64 } from '../../src/primitives/base64.ts'
import { fromSignedShard } from '../../src/primitives/shard.ts'
import { getV2 } from '../support/v2Client.ts'
import { askEveryWay, assertContract, assertRefused } from '../support/v2Oracle.ts'
import { startV2Network, type V2NetworkService } from '../support/v2Service.ts'
import type { Json } from '../support/v3Client.ts'

const zeroHash = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='
const nobody = `0:${'17'.repeat(32)}`

describe('v2 accounts', () => {
  let service: V2NetworkService
  let wallet: string

  before(async () => {
    service = await startV2Network()
    wallet = service.network.accounts[0]!.address
  })
  after(() => service.close())

  const endpoints = [
    'getAddressInformation',
    'getExtendedAddressInformation',
    'getWalletInformation',
    'getAddressBalance',
    'getAddressState',
    'getShardAccountCell',
  ]

  it('tells of a wallet, by all ways the same', async () => {
    const info = await askEveryWay(service.url, 'getAddressInformation', { address: wallet })
    assert.equal(info.state, 'active')
    assert.equal(info.balance, '1000000000000000')
    assert.equal(info.suspended, false)
    assert.equal(info.frozen_hash, '')
    assert.ok(Cell.fromBase64(info.code).hash().length === 32 && info.code.startsWith('te6cck'))
    const head = await askEveryWay(service.url, 'getMasterchainInfo')
    assert.deepEqual(info.block_id, head.last)
    assert.equal(await askEveryWay(service.url, 'getAddressBalance', { address: wallet }), info.balance)
    assert.equal(await askEveryWay(service.url, 'getAddressState', { address: wallet }), 'active')
  })

  const walletTypes: Record<string, string> = { v3r2: 'wallet v3 r2', v4r2: 'wallet v4 r2', v5r1: 'wallet v5 r1' }

  it('recognises the wallets of the network', async () => {
    const seen = new Set<string>()
    for (const { address, walletType } of service.network.accounts) {
      const info = await askEveryWay(service.url, 'getWalletInformation', { address })
      seen.add(walletType)
      assert.equal(info.wallet_type, walletTypes[walletType])
      assert.equal(info.wallet, walletType in walletTypes)
      assert.equal(info.seqno, info.wallet ? 0 : undefined)
      assert.equal(typeof info.wallet_id, info.wallet ? 'number' : 'undefined')
      assert.equal(info.is_signature_allowed, walletType === 'v5r1' ? true : undefined)
    }
    assert.deepEqual([...seen].sort(), ['highload-v3', 'v3r2', 'v4r2', 'v5r1'])
  })

  it('tells what a well-known contract is', async () => {
    const known: Record<string, Json> = {
      v3r2: ['wallet.v3.accountState', 2, ['wallet_id', 'seqno']],
      v4r2: ['wallet.v4.accountState', 2, ['wallet_id', 'seqno']],
    }
    for (const { address, walletType } of service.network.accounts) {
      const info = await askEveryWay(service.url, 'getExtendedAddressInformation', { address })
      const { '@type': type, ...members } = info.account_state
      const unknown = ['raw.accountState', 0, ['code', 'data', 'frozen_hash']]
      assert.deepEqual([type, info.revision, Object.keys(members)], known[walletType] ?? unknown)
      assert.equal(info.address.account_address, address)
    }
  })

  it('takes an account that was never seen for an empty one', async () => {
    const info = await askEveryWay(service.url, 'getAddressInformation', { address: nobody })
    const { block_id, sync_utime, ...rest } = info
    assert.deepEqual(rest, {
      '@type': 'raw.fullAccountState',
      balance: '0',
      extra_currencies: [],
      last_transaction_id: { '@type': 'internal.transactionId', lt: '0', hash: zeroHash },
      code: '',
      data: '',
      frozen_hash: '',
      state: 'uninitialized',
      suspended: false,
    })
    assert.equal(await askEveryWay(service.url, 'getAddressBalance', { address: nobody }), '0')
    assert.equal(await askEveryWay(service.url, 'getAddressState', { address: nobody }), 'uninitialized')
    const wide = await askEveryWay(service.url, 'getExtendedAddressInformation', { address: nobody })
    assert.deepEqual(wide.account_state, { '@type': 'uninited.accountState', frozen_hash: '' })
    assert.equal(wide.balance, '0')
    assert.equal(wide.address.account_address, Address.parse(nobody).toString())
    assert.deepEqual(await askEveryWay(service.url, 'getWalletInformation', { address: nobody }), {
      '@type': 'ext.accounts.walletInformation',
      wallet: false,
      balance: '0',
      account_state: 'uninitialized',
      last_transaction_id: { '@type': 'internal.transactionId', lt: '0', hash: zeroHash },
    })
    const { bytes } = await askEveryWay(service.url, 'getShardAccountCell', { address: nobody })
    const shardAccount = loadShardAccount(Cell.fromBase64(bytes).beginParse())
    assert.equal(shardAccount.account, undefined)
    assert.equal(shardAccount.lastTransactionLt, 0n)
  })

  it('reads frozen accounts, extra currencies and amounts of any size', async () => {
    const { controls } = service.network
    const hash = new Uint8Array(32).fill(3)
    const address = { workchain: 0, hash: new Uint8Array(32).fill(0x29) }
    const { Dict } = await import('../../src/codec/cell/Dict.ts')
    const { extraCurrenciesType } = await import('../../src/codec/tlb/CurrencyCollection.ts')
    const extra = new Dict(extraCurrenciesType).set(239, 1n << 100n).set(0xffff_ffff, 5n)
    await controls.setAccount({ address, balance: { grams: 77n, extra }, state: { kind: 'frozen', stateHash: hash } })
    await service.catchUp()
    const raw = `0:${'29'.repeat(32)}`
    const info = await askEveryWay(service.url, 'getAddressInformation', { address: raw })
    assert.equal(info.balance, '77')
    assert.equal(info.state, 'frozen')
    assert.equal(info.frozen_hash, Buffer.from(hash).toString('base64'))
    assert.equal(info.code, '')
    assert.deepEqual(info.extra_currencies, [
      { '@type': 'extraCurrency', id: 239, amount: (1n << 100n).toString() },
      { '@type': 'extraCurrency', id: -1, amount: '5' },
    ])
    const wide = await askEveryWay(service.url, 'getExtendedAddressInformation', { address: raw })
    assert.deepEqual(wide.account_state, { '@type': 'uninited.accountState', frozen_hash: info.frozen_hash })
    assert.equal(await askEveryWay(service.url, 'getAddressState', { address: raw }), 'frozen')
  })

  it('reads an account as it was', async () => {
    const { controls } = service.network
    const before = await askEveryWay(service.url, 'getMasterchainInfo')
    const address = { workchain: 0, hash: new Uint8Array(32).fill(0x31) }
    const raw = `0:${'31'.repeat(32)}`
    await controls.faucet(address, 12_345n)
    await service.mine(2)
    const present = await askEveryWay(service.url, 'getAddressInformation', { address: raw })
    assert.equal(present.balance, '12345')
    const seqno = before.last.seqno
    const past = await askEveryWay(service.url, 'getAddressInformation', { address: raw, seqno })
    assert.equal(past.balance, '0')
    assert.deepEqual(past.block_id, before.last)
    assert.equal(await askEveryWay(service.url, 'getAddressBalance', { address: raw, seqno }), '0')
    const now = await askEveryWay(service.url, 'getShardAccountCell', { address: raw })
    const shardAccount = loadShardAccount(Cell.fromBase64(now.bytes).beginParse())
    assert.equal(shardAccount.account?.storage.balance.coins, 12_345n)
    assert.ok(shardAccount.lastTransactionLt > 0n)
  })

  it('gives the proof with it, by which the answer can be checked', async () => {
    const { body } = await getV2(`${service.url}/api/v2`, 'getAddressInformation', { address: wallet, proof: 'true' })
    const { proof, ...info } = body.result
    assertContract('RawFullAccountState', info)
    const toId = (view: Json) => ({
      workchain: view.workchain,
      shard: fromSignedShard(BigInt(view.shard)),
      seqno: view.seqno,
      rootHash: fromBase64(view.root_hash),
      fileHash: fromBase64(view.file_hash),
    })
    const { hash } = Address.parse(wallet)
    const proven = verifyAccountState(
      toId(info.block_id),
      { account: { workchain: 0, id: new Uint8Array(hash) } },
      {
        id: toId(info.block_id),
        shardblk: toId(proof.shard_block_id),
        shardProof: fromBase64(proof.shard_proof),
        proof: fromBase64(proof.account_proof),
        state: fromBase64(proof.state),
      },
    )
    assert.equal(proven.kind, 'found')
    assert.deepEqual(decodeSingleBoc(fromBase64(proof.state)).hash(), proven.kind === 'found' && proven.account.hash())
    const without = await getV2(`${service.url}/api/v2`, 'getAddressInformation', { address: wallet, proof: '0' })
    assert.equal('proof' in without.body.result, false)
  })

  it('takes every form of an address', async () => {
    const address = Address.parse(wallet)
    const forms = [
      address.toRawString(),
      address.toRawString().toUpperCase(),
      address.toString({ bounceable: true }),
      address.toString({ bounceable: false, testOnly: true }),
      address.toString({ urlSafe: false }),
    ]
    for (const form of forms) {
      assert.equal(await askEveryWay(service.url, 'getAddressBalance', { address: form }), '1000000000000000')
    }
  })

  for (const name of endpoints) {
    it(`refuses what ${name} cannot be asked`, async () => {
      const { url } = service
      const badSum = wallet.slice(0, -1) + (wallet.endsWith('A') ? 'B' : 'A')
      for (const address of ['', 'invalid', badSum, `0:${'0'.repeat(63)}`, `0:${'0'.repeat(65)}`, '0'.repeat(64)]) {
        const text = `failed to parse get request: Failed to parse address: '${address}'`
        await assertRefused(url, name, { address }, { status: 422, text })
      }
      const missing = { status: 422, text: "failed to parse get request: Failed to parse address: ''" }
      await assertRefused(url, name, {}, missing)
      for (const seqno of ['abc', '1.5', '99999999999', ' 1', '0x1', '']) {
        const text = 'failed to parse get request: failed to parse seqno'
        await assertRefused(url, name, { address: wallet, seqno }, { status: 422, text })
      }
      for (const seqno of [0, -1]) {
        const text = 'failed to validate request: seqno should be positive'
        await assertRefused(url, name, { address: wallet, seqno }, { status: 422, text })
      }
      const future = { status: 500, text: /^LITE_SERVER_NOTREADY: cannot find block .* seqno=10007: .*not found/ }
      await assertRefused(url, name, { address: wallet, seqno: 10_007 }, future)
      const nowhere = { status: 500, text: /^VALIDATE_ACCOUNT_STATEshard block id / }
      await assertRefused(url, name, { address: `5:${'00'.repeat(32)}` }, nowhere)
      const unknown = { status: 422, text: "failed to parse post request: Unknown property 'nonsense'" }
      await assertRefused(url, name, { address: wallet, nonsense: 1 }, unknown, { ways: ['post', 'rpc'] })
      assert.equal((await getV2(`${url}/api/v2`, name, { address: wallet, from_lt: 1 })).status, 200)
    })
  }
})
