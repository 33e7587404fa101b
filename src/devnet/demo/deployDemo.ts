import { type Address, formatFriendlyAddress } from '../../primitives/Address.ts'
import { toAddrStd } from '../contracts/addresses.ts'
import { commentBody } from '../contracts/bodies.ts'
import { changeRecordBody, dnsCollectionAddress } from '../contracts/dnsContracts.ts'
import { jettonMintBody, jettonWalletAddress } from '../contracts/jettonContracts.ts'
import { nftDeployBody, nftItemAddress } from '../contracts/nftContracts.ts'
import type { OutgoingMessage } from '../contracts/outgoingMessage.ts'
import { vestingWhitelistBody } from '../contracts/vestingContract.ts'
import type { DevAccount } from '../wallets/createDevAccounts.ts'
import type { DemoPort } from './DemoPort.ts'
import { DemoError } from './errors.ts'
import type { OrderSender } from './OrderSender.ts'
import type { DemoPlan } from './planDemo.ts'

const TON = 1_000_000_000n
/** Blocks within which something that was asked for must be there. */
const PATIENCE = 30
/** What wallets of all kinds can send. */
const MESSAGES_AT_ONCE = 4

/** Makes all that is not there yet. It takes some blocks, and can be called again after a failure. */
export const deployDemo = async (port: DemoPort, sender: OrderSender, plan: DemoPlan): Promise<void> => {
  const stage: Stage = { port, sender, plan }
  // An owner's orders follow one another; different owners need not wait for each other, but all of them end before
  // a failure is told: another try must not meet orders of the one before.
  const done = await Promise.allSettled([
    deployJetton(stage).then(() => deployMultisig(stage)),
    deployCollection(stage),
    deployName(stage),
    deployVesting(stage),
  ])
  for (const it of done) if (it.status === 'rejected') throw it.reason
}

type Stage = { readonly port: DemoPort; readonly sender: OrderSender; readonly plan: DemoPlan }

const isThere = async (port: DemoPort, address: Address, method: string): Promise<boolean> =>
  (await port.runMethod(address, method, [])) !== undefined

/** What shall be there, how to see that it is, and the message that makes it. */
type Wanted = { readonly address: Address; readonly method: string; readonly message: OutgoingMessage }

const listMissing = async (port: DemoPort, wanted: readonly Wanted[]): Promise<Wanted[]> => {
  const missing: Wanted[] = []
  for (const it of wanted) if (!(await isThere(port, it.address, it.method))) missing.push(it)
  return missing
}

/** Makes what is missing, and waits until it is there. Says whether anything was. */
const ensure = async ({ port, sender }: Stage, account: DevAccount, wanted: readonly Wanted[]): Promise<boolean> => {
  let missing = await listMissing(port, wanted)
  if (missing.length === 0) return false
  for (let k = 0; k < missing.length; k += MESSAGES_AT_ONCE) {
    const messages = missing.slice(k, k + MESSAGES_AT_ONCE).map(({ message }) => message)
    await sender.send(account, messages)
  }
  for (let waited = 0; waited < PATIENCE; waited++) {
    await port.nextBlock()
    missing = await listMissing(port, missing)
    if (missing.length === 0) return true
  }
  const addresses = missing.map(({ address }) => formatFriendlyAddress(address))
  throw new DemoError(`${account.name} was to deploy ${addresses.join(', ')}, but nothing is there yet.`)
}

const deployJetton = async (stage: Stage): Promise<void> => {
  const { address: minter, init, admin, holders } = stage.plan.jetton
  const wanted = holders.map(({ wallet }, k): Wanted => {
    const body = jettonMintBody(BigInt(k), wallet.address, 1_000_000n * TON, TON / 10n, admin.wallet.address)
    const message = { destination: minter, value: TON, bounce: false, init, body }
    return { address: jettonWalletAddress(wallet.address, minter), method: 'get_wallet_data', message }
  })
  await ensure(stage, admin, wanted)
}

const deployCollection = async (stage: Stage): Promise<void> => {
  const { address: collection, init, owner, items } = stage.plan.collection
  const wanted = stage.plan.accounts.slice(0, items).map(({ wallet }, k): Wanted => {
    const body = nftDeployBody(BigInt(k), BigInt(k), TON / 10n, wallet.address, `${k}.json`)
    const message = { destination: collection, value: TON / 2n, bounce: false, init, body }
    return { address: nftItemAddress(collection, BigInt(k)), method: 'get_nft_data', message }
  })
  await ensure(stage, owner, wanted)
}

/** The zone cannot be deployed: where the network did not start with it, there are no names. */
const deployName = async (stage: Stage): Promise<void> => {
  const { label, item, owner } = stage.plan.name
  if (!(await isThere(stage.port, dnsCollectionAddress, 'get_collection_data'))) return
  const body = commentBody(label)
  const message = { destination: dnsCollectionAddress, value: 2n * TON, bounce: true, body }
  if (!(await ensure(stage, owner, [{ address: item, method: 'get_domain', message }]))) return
  const wallet = { kind: 'smcAddress', address: toAddrStd(owner.wallet.address), flags: 0, list: undefined } as const
  const site = { kind: 'adnlAddress', adnl: owner.key.publicKey, flags: 0, list: undefined } as const
  await stage.sender.send(owner, [
    { destination: item, value: TON / 10n, bounce: true, body: changeRecordBody(1n, 'wallet', wallet) },
    { destination: item, value: TON / 10n, bounce: true, body: changeRecordBody(2n, 'site', site) },
  ])
}

const deployMultisig = async (stage: Stage): Promise<void> => {
  const { address, init, signers } = stage.plan.multisig
  const message = { destination: address, value: 50n * TON, bounce: false, init }
  await ensure(stage, signers[0]!, [{ address, method: 'get_multisig_data', message }])
}

const deployVesting = async (stage: Stage): Promise<void> => {
  const { plan, sender } = stage
  const { address, init, sender: filler } = plan.vesting
  const message = { destination: address, value: 110n * TON, bounce: false, init }
  if (!(await ensure(stage, filler, [{ address, method: 'get_vesting_data', message }]))) return
  const listed = plan.multisig.signers.map(({ wallet }) => wallet.address)
  const body = vestingWhitelistBody(1n, listed[0]!, listed.slice(1))
  await sender.send(filler, [{ destination: address, value: TON / 10n, bounce: true, body }])
}
