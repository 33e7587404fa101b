import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { contractAt } from '../../../../test/support/contractRunner.ts'
import { haveFixtures, readFixture } from '../../../../test/support/fixtures.ts'
import { inspectStates, sampleInspector, sampleStates } from '../../../../test/support/inspectSample.ts'
import { filled } from '../../../../test/support/sampleMessages.ts'
import { scriptedCode } from '../../../../test/support/scriptedCode.ts'
import { cell, int, nothing } from '../../../../test/support/scriptedMethods.ts'
import { createTestMachine, libraryReference, sampleContext } from '../../../../test/support/vmSamples.ts'
import type { ContractState } from '../../../chain/ports.ts'
import { openCell } from '../../../codec/cell/CellReader.ts'
import { CellWriter, emptyCell } from '../../../codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../../codec/cell/decodeBoc.ts'
import { packCell } from '../../../codec/stored/packCell.ts'
import { openAccount } from '../../../codec/tlb/Account.ts'
import { readShardAccount } from '../../../codec/tlb/ShardAccounts.ts'
import { dedustFactory } from '../../../contracts/dedustPool.ts'
import { addressArgument } from '../../../contracts/getMethods.ts'
import { contractAddress, contractInit } from '../../../devnet/contracts/contractInit.ts'
import { multisigInit } from '../../../devnet/contracts/multisigContracts.ts'
import { vestingInit } from '../../../devnet/contracts/vestingContract.ts'
import { type Address, addressKeyOf, parseAddress } from '../../../primitives/Address.ts'
import { bytesEqual } from '../../../primitives/bytes.ts'

const { machine } = await createTestMachine({ after })

const at = (byte: number): Address => ({ workchain: 0, hash: filled(byte) })
const key = (byte: number): Uint8Array => addressKeyOf(at(byte))

const common = ({ address, code, data }: ContractState) => ({
  since_lt: 5n,
  last_lt: 5n,
  address: addressKeyOf(address),
  code_hash: code.hash(),
  data_hash: data.hash(),
})

const inspect = async (contract: ContractState, others: readonly ContractState[] = [], context = sampleContext()) => {
  const inspector = sampleInspector(machine, sampleStates(others, context))
  const { contracts, codes } = await inspectStates(inspector, [{ contract, lt: 5n }])
  return { contracts, codes, stats: inspector.stats }
}

const terms = {
  startTime: 1_717_200_000,
  totalDuration: 31_104_000,
  unlockPeriod: 2_592_000,
  cliffDuration: 7_776_000,
  totalAmount: 1_000_000_000_000n,
  sender: at(2),
  owner: at(3),
}

test('vesting wallets are told by their code, ours and that of the main network', async (t) => {
  const init = vestingInit({ ...terms, ownerKey: filled(4) })
  const path = 'mainnet/contracts/wallets/wallet_vesting/WalletVesting_b48b531a.boc'
  const codes = [init.code!, ...(haveFixtures(t, path) ? [decodeSingleBoc(readFixture(path))] : [])]
  for (const code of codes) {
    const contract = contractAt(at(1), contractInit(code, init.data!))
    const { contracts } = await inspect(contract)
    assert.deepEqual(contracts.vesting_contracts, [
      {
        ...common(contract),
        start_time: 1_717_200_000n,
        total_duration: 31_104_000n,
        unlock_period: 2_592_000n,
        cliff_duration: 7_776_000n,
        total_amount: 1_000_000_000_000n,
        sender_address: key(2),
        owner_address: key(3),
        whitelist: [],
      },
    ])
  }
  const numbers = [1, 2, 3, 4, 5].map(int)
  const stack = [...numbers, addressArgument(at(2)), addressArgument(at(3)), nothing]
  const { contracts, stats } = await inspect(
    contractAt(at(1), contractInit(scriptedCode({ get_vesting_data: stack }), emptyCell)),
  )
  assert.deepEqual(contracts.vesting_contracts, [])
  assert.equal(stats.runs, 0)
})

test('a multisig', async () => {
  const init = multisigInit({ threshold: 2, signers: [at(3), at(1), at(2)], proposers: [at(9)] })
  const contract = contractAt(contractAddress(init), init)
  const { contracts } = await inspect(contract)
  assert.deepEqual(contracts.multisigs, [
    {
      ...common(contract),
      threshold: 2,
      next_order_seqno: 0n,
      signers: [key(3), key(1), key(2)],
      proposers: [key(9)],
    },
  ])
})

test('an order that its multisig names, one that it does not, and one that is not filled', async () => {
  const order = new CellWriter().writeUint(7, 8).toCell()
  const data = [
    addressArgument(at(2)),
    int(12),
    int(2),
    int(-1),
    nothing,
    int(5),
    int(2),
    int(1_767_225_600),
    cell(order),
  ]
  const contract = contractAt(at(1), contractInit(scriptedCode({ get_order_data: data }), emptyCell))
  const multisigThatNames = (address: Address) =>
    contractAt(
      at(2),
      contractInit(
        scriptedCode({ get_order_address: [addressArgument(address)] }, { get_order_address: 1 }),
        emptyCell,
      ),
    )
  const { contracts } = await inspect(contract, [multisigThatNames(at(1))])
  assert.deepEqual(contracts.multisig_orders, [
    {
      ...common(contract),
      expiration_date: 1_767_225_600n,
      threshold: 2,
      approvals_num: 2,
      sent_for_execution: true,
      order_seqno: 12n,
      approvals_mask: 5n,
      multisig_address: key(2),
      order_content: packCell(order),
      signers: [],
    },
  ])
  const { contracts: lying } = await inspect(contract, [multisigThatNames(at(3))])
  assert.deepEqual(lying.multisig_orders, [])
  const empty = [...data.slice(0, 2), ...data.slice(2).map(() => nothing)]
  const { contracts: unfilled } = await inspect(
    contractAt(at(1), contractInit(scriptedCode({ get_order_data: empty }), emptyCell)),
    [multisigThatNames(at(1))],
  )
  assert.deepEqual(unfilled.multisig_orders, [])
})

test('numbers that the columns cannot hold are refused', async () => {
  for (const threshold of [2n ** 31n, 2n ** 200n]) {
    const code = scriptedCode({ get_multisig_data: [int(0), int(threshold), nothing, nothing] })
    const { contracts, stats } = await inspect(contractAt(at(1), contractInit(code, emptyCell)))
    assert.deepEqual(contracts.multisigs, [])
    assert.deepEqual(stats.refused, { multisig: 1 })
  }
})

test('code in a library is known by the methods of the library', async () => {
  const body = scriptedCode({ get_multisig_data: [int(3), int(1), nothing, nothing] })
  const contract = contractAt(at(1), contractInit(libraryReference(body.hash()), emptyCell))
  const context = sampleContext({ findLibrary: (hash) => (bytesEqual(hash, body.hash()) ? body : undefined) })
  const { contracts, codes } = await inspect(contract, [], context)
  assert.equal(contracts.multisigs[0]?.next_order_seqno, 3n)
  assert.deepEqual(codes, [
    { code_hash: contract.code.hash(), code: packCell(contract.code), methods: [getMultisigData] },
  ])
  const { contracts: without, codes: bare } = await inspect(contract)
  assert.deepEqual(without.multisigs, [])
  assert.equal(bare[0]?.methods, undefined)
})

/** CRC16 of get_multisig_data, as the contracts themselves have it. */
const getMultisigData = 107_307n

const pool = 'mainnet/accounts/block-71398501/0_3e5ffca8ddfcf36c36c9ff46f31562aab51b9914845ad6c26cbde649d58a5588.boc'

test('a pool of DeDust on the main network, if the factory names it', async (t) => {
  if (!haveFixtures(t, pool)) return
  const account = openAccount(readShardAccount(openCell(decodeSingleBoc(readFixture(pool)))).account)
  assert.ok(account.kind === 'account' && account.state.kind === 'active')
  const address = parseAddress('0:3e5ffca8ddfcf36c36c9ff46f31562aab51b9914845ad6c26cbde649d58a5588')
  const contract = contractAt(address, account.state.init)
  const factoryThatNames = (named: Address) =>
    contractAt(
      dedustFactory,
      contractInit(scriptedCode({ get_pool_address: [addressArgument(named)] }, { get_pool_address: 3 }), emptyCell),
    )
  const { contracts } = await inspect(contract, [factoryThatNames(address)])
  const [row] = contracts.dex_pools
  assert.ok(row !== undefined)
  const { asset_1, asset_2, reserve_1, reserve_2, fee, ...rest } = row
  assert.deepEqual(rest, { ...common(contract), dex: 'dedust', kind: 'volatile' })
  // The coin of the network for USDT.
  assert.equal(asset_1, undefined)
  assert.deepEqual(
    asset_2,
    addressKeyOf(parseAddress('0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe')),
  )
  assert.ok(reserve_1! > 0n && reserve_2! > 0n)
  assert.ok(fee! > 0 && fee! < 0.1)
  // It is a jetton of its own, too.
  assert.equal(contracts.jetton_masters.length, 1)
  assert.deepEqual((await inspect(contract, [factoryThatNames(at(1))])).contracts.dex_pools, [])
  assert.deepEqual((await inspect(contract)).contracts.dex_pools, [])
})
