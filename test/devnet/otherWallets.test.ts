import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Address, comment, internal, SendMode, toNano } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { LiteClient, LiteSingleEngine } from 'ton-lite-client'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'

const makers = {
  v3r2: (publicKey: Buffer) => WalletContractV3R2.create({ workchain: 0, publicKey }),
  v4r2: (publicKey: Buffer) => WalletContractV4.create({ workchain: 0, publicKey }),
  v5r1: (publicKey: Buffer) => WalletContractV5R1.create({ workchain: 0, publicKey }),
}
type Kind = keyof typeof makers

test('wallets of the library @ton/ton send and receive through the npm client ton-lite-client', async (t) => {
  const network = await startNetwork({ mining: { mode: 'instant' }, shards: 2 })
  t.after(() => network.close())
  const { host, port, key } = network.liteserver
  const engine = new LiteSingleEngine({ host: `tcp://${host}:${port}`, publicKey: Buffer.from(key, 'base64') })
  await once(engine, 'ready')
  t.after(() => engine.close())
  const client = new LiteClient({ engine, batchSize: 1 })
  const balanceOf = async (address: Address): Promise<bigint> => {
    const { last } = await client.getMasterchainInfo()
    return (await client.getAccountState(address, last)).balance.coins
  }
  const sent = new Set<string>()
  for (const [at, account] of network.accounts.entries()) {
    const make = makers[account.walletType as Kind]
    if (make === undefined || sent.has(account.walletType)) continue
    sent.add(account.walletType)
    const keys = await mnemonicToPrivateKey(account.mnemonic.split(' '))
    const wallet = make(keys.publicKey)
    assert.equal(wallet.address.toString({ bounceable: false }), account.address)
    const opened = client.open(wallet as WalletContractV4)
    const receiver = new Address(0, Buffer.alloc(32, 17 * (at + 1)))
    for (const seqno of [0, 1]) {
      await opened.sendTransfer({
        seqno,
        secretKey: keys.secretKey,
        sendMode: SendMode.PAY_GAS_SEPARATELY,
        messages: [internal({ to: receiver, value: toNano('1.5'), bounce: false, body: comment('hello') })],
      })
      await network.controls.mine(4)
      assert.equal(await opened.getSeqno(), seqno + 1)
    }
    const received = await balanceOf(receiver)
    assert.ok(received > toNano('2.99') && received <= toNano('3'), `${received}`)
    const { last } = await client.getMasterchainInfo()
    const state = await client.getAccountState(receiver, last)
    const list = await client.getAccountTransactions(
      receiver,
      state.lastTx!.lt.toString(),
      Buffer.from(state.lastTx!.hash.toString(16).padStart(64, '0'), 'hex'),
      5,
    )
    assert.equal(list.ids.length, 2)
  }
  assert.deepEqual([...sent].sort(), ['v3r2', 'v4r2', 'v5r1'])
})
