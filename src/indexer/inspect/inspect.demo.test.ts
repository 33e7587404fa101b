import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectStates, sampleInspector, sampleStates } from '../../../test/support/inspectSample.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { TinyLedger } from '../../../test/support/TinyLedger.ts'
import { createTestMachine } from '../../../test/support/vmSamples.ts'
import type { ContractState } from '../../chain/ports.ts'
import { unpackCell } from '../../codec/stored/packCell.ts'
import { dnsZones } from '../../contracts/dns/domainItems.ts'
import { changeRecordBody, dnsCollectionAddress, dnsCollectionInit } from '../../devnet/contracts/dnsContracts.ts'
import { jettonWalletAddress } from '../../devnet/contracts/jettonContracts.ts'
import { multisigOrderAddress, newOrderBody } from '../../devnet/contracts/multisigContracts.ts'
import { nftItemAddress } from '../../devnet/contracts/nftContracts.ts'
import { deployDemo, planDemo } from '../../devnet/demo/deployDemo.ts'
import { type DemoPort, OrderSender } from '../../devnet/demo/OrderSender.ts'
import { createDevAccounts } from '../../devnet/wallets/createDevAccounts.ts'
import { type Address, addressKeyOf } from '../../primitives/Address.ts'

const TON = 1_000_000_000n

test('all that the demonstration deploys is found, names and orders too', async (t) => {
  const { machine } = await createTestMachine(t)
  const accounts = await createDevAccounts(filled(0x44), -777)
  const plan = planDemo(accounts)
  const ledger = new TinyLedger(machine)
  for (const { wallet } of accounts) ledger.put(wallet.address, 100_000n * TON, wallet.init)
  ledger.put(dnsCollectionAddress, 1000n * TON, dnsCollectionInit())
  const port: DemoPort = {
    send: (message) => ledger.send(message),
    runMethod: (address, method, stack) => ledger.runMethod(address, method, stack).catch(() => undefined),
    now: () => ledger.now,
    nextBlock: async () => void ledger.now++,
  }
  const sender = new OrderSender(port)
  await deployDemo(port, sender, plan)
  const [alice, bob] = [accounts[0]!, accounts[1]!]
  const body = newOrderBody({
    queryId: 1n,
    seqno: 0n,
    isSigner: true,
    index: 0,
    expirationDate: ledger.now + 3600,
    messages: [{ destination: bob.wallet.address, value: 1n, bounce: false }],
  })
  await sender.send(alice, [{ destination: plan.multisig.address, value: TON, bounce: true, body }])

  const contractOf = (address: Address): ContractState => {
    const account = ledger.find(address)
    assert.ok(account?.state.kind === 'active')
    const { code, data } = account.state.init
    return { address, code: code!, data: data!, balance: account.balance }
  }
  const order = multisigOrderAddress(plan.multisig.address, 0n)
  const wallets = plan.jetton.holders.map(({ wallet }) => jettonWalletAddress(wallet.address, plan.jetton.address))
  const items = Array.from({ length: plan.collection.items }, (_, k) =>
    nftItemAddress(plan.collection.address, BigInt(k)),
  )
  const tokens = [
    plan.jetton.address,
    ...wallets,
    plan.collection.address,
    ...items,
    dnsCollectionAddress,
    plan.name.item,
  ]
  const addresses = [...tokens, plan.multisig.address, order, plan.vesting.address, alice.wallet.address]
  const contracts = addresses.map(contractOf)
  const inspector = sampleInspector(machine, sampleStates(contracts))
  const inspect = () =>
    inspectStates(
      inspector,
      contracts.map((contract) => ({ contract: contractOf(contract.address), lt: 1n })),
    )
  const found = (await inspect()).contracts
  const listed = (rows: readonly { readonly address: Uint8Array }[]) => rows.map(({ address }) => address)
  const keys = (list: readonly Address[]) => list.map(addressKeyOf)
  assert.deepEqual(listed(found.jetton_masters), keys([plan.jetton.address]))
  assert.deepEqual(listed(found.jetton_wallets), keys(wallets))
  assert.equal(
    found.jetton_wallets.reduce((sum, { balance }) => sum + balance, 0n),
    found.jetton_masters[0]!.total_supply,
  )
  assert.deepEqual(listed(found.nft_collections), keys([plan.collection.address, dnsCollectionAddress]))
  assert.deepEqual(listed(found.nft_items), keys([...items, plan.name.item]))
  assert.deepEqual(listed(found.multisigs), keys([plan.multisig.address]))
  assert.deepEqual(listed(found.multisig_orders), keys([order]))
  assert.deepEqual(listed(found.vesting_contracts), keys([plan.vesting.address]))
  assert.equal(found.vesting_contracts[0]?.whitelist.length, 3)

  const [row] = found.multisig_orders
  assert.deepEqual([row?.approvals_num, row?.approvals_mask, row?.threshold], [1, 1n, 2])
  assert.deepEqual(row?.signers, keys(plan.multisig.signers.map(({ wallet }) => wallet.address)))
  assert.ok(unpackCell(row!.order_content!).bits > 0)

  const owner = addressKeyOf(plan.name.owner.wallet.address)
  const [name] = found.dns_entries
  assert.deepEqual(
    { ...name, dns_site_adnl: name?.dns_site_adnl?.length },
    {
      last_lt: 1n,
      domain: 'chaincenter.ton',
      nft_item_address: addressKeyOf(plan.name.item),
      nft_item_owner: owner,
      dns_next_resolver: undefined,
      dns_wallet: owner,
      dns_site_adnl: 32,
      dns_storage_bag_id: undefined,
    },
  )
  const content = found.nft_items.at(-1)!.content as Record<string, string>
  assert.equal(content['domain'], 'chaincenter.ton')
  const { runs, candidates } = inspector.stats
  t.diagnostic(`${candidates} contracts took ${runs} runs`)

  // Records that were deleted are gone from the row as well.
  for (const [k, category] of ['wallet', 'site'].entries()) {
    const deletion = changeRecordBody(BigInt(k), category, undefined)
    await sender.send(plan.name.owner, [
      { destination: plan.name.item, value: TON / 10n, bounce: true, body: deletion },
    ])
  }
  const [bare] = (await inspect()).contracts.dns_entries
  assert.deepEqual([bare?.domain, bare?.dns_wallet, bare?.dns_site_adnl], ['chaincenter.ton', undefined, undefined])

  // On another network this collection keeps no names.
  const elsewhere = sampleInspector(machine, sampleStates(contracts), { dnsZones: dnsZones.test })
  const item = await inspectStates(elsewhere, [{ contract: contractOf(plan.name.item), lt: 1n }])
  assert.deepEqual([item.contracts.nft_items.length, item.contracts.dns_entries.length], [1, 0])
})
