import type { Cell } from '../../codec/cell/Cell.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import { type Address, formatFriendlyAddress } from '../../primitives/Address.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import { contractAddress } from '../contracts/contractInit.ts'
import { changeRecordBody, dnsCollectionAddress, dnsItemAddress } from '../contracts/dnsContracts.ts'
import { dexRouterInit } from '../contracts/exchangeContracts.ts'
import { jettonMintBody, jettonMinterInit, jettonWalletAddress } from '../contracts/jettonContracts.ts'
import { marketInit } from '../contracts/marketContracts.ts'
import { commentBody, type OutgoingMessage, onChainContent, toAddrStd } from '../contracts/messages.ts'
import { multisigInit } from '../contracts/multisigContracts.ts'
import { nftCollectionInit, nftDeployBody, nftItemAddress } from '../contracts/nftContracts.ts'
import { stakeMinterAddress, stakePoolInit } from '../contracts/stakeContracts.ts'
import { vestingInit, vestingWhitelistBody } from '../contracts/vestingContract.ts'
import { type DevAccount, openDevAccounts } from '../wallets/createDevAccounts.ts'
import { DemoError, type DemoPort, type OrderSender } from './OrderSender.ts'
import { drawCoin, drawGem } from './pictures.ts'

type Planned = { readonly address: Address; readonly init: StateInit }

/** Who plays which part in the demonstration, and where its contracts are. */
export type DemoPlan = {
  readonly accounts: readonly DevAccount[]
  readonly jetton: Planned & { readonly admin: DevAccount; readonly holders: readonly DevAccount[] }
  readonly collection: Planned & { readonly owner: DevAccount; readonly items: number }
  readonly name: { readonly label: string; readonly item: Address; readonly owner: DevAccount }
  readonly multisig: Planned & { readonly signers: readonly DevAccount[]; readonly proposer: DevAccount }
  readonly vesting: Planned & { readonly sender: DevAccount; readonly owner: DevAccount }
  readonly batcher: DevAccount
  // What follows is deployed by the traffic, when it is needed for the first time.
  readonly dollar: Planned & { readonly admin: DevAccount }
  readonly exchange: Planned & { readonly owner: DevAccount; readonly shareContent: Cell }
  readonly staking: Planned & { readonly minter: Address }
  readonly market: Planned
}

const LABEL = 'chaincenter'
const VESTING_START = Date.UTC(2025, 0, 1) / 1000
const MONTH = 30 * 24 * 60 * 60

/** The same accounts give the same addresses, so that a network that goes on finds what it had. */
export const planDemo = (accounts: readonly DevAccount[]): DemoPlan => {
  const find = (name: string): DevAccount => {
    const account = accounts.find((it) => it.name === name)
    if (account === undefined) throw new DemoError(`The demo needs an account named ${name}, but there is none.`)
    return account
  }
  const [alice, bob, carol, dave] = [find('alice'), find('bob'), find('carol'), find('dave')]
  const [erin, grace, heidi] = [find('erin'), find('grace'), find('heidi')]
  const [ivan, judy] = [find('ivan'), find('judy')]
  const signers = [alice, bob, carol]
  return {
    accounts,
    jetton: {
      ...planned(jettonMinterInit(alice.wallet.address, demoContent())),
      admin: alice,
      holders: [alice, bob, carol, judy],
    },
    collection: { ...planned(collectionInit(carol)), owner: carol, items: 5 },
    name: { label: LABEL, item: dnsItemAddress(LABEL), owner: dave },
    multisig: {
      ...planned(
        multisigInit({
          threshold: 2,
          signers: signers.map(({ wallet }) => wallet.address),
          proposers: [dave.wallet.address],
        }),
      ),
      signers,
      proposer: dave,
    },
    vesting: { ...planned(vestingOf(erin, heidi)), sender: erin, owner: heidi },
    batcher: grace,
    dollar: { ...planned(jettonMinterInit(bob.wallet.address, dollarContent())), admin: bob },
    exchange: planExchange(bob),
    staking: planStaking(),
    market: planned(marketInit(ivan.wallet.address, carol.wallet.address)),
  }
}

const planned = (init: StateInit): Planned => ({ address: contractAddress(init), init })

const demoContent = (): Cell =>
  onChainContent({
    name: 'Demo Jetton',
    symbol: 'DEMO',
    decimals: '9',
    description: 'Jettons for trying things out. There are as many as you like.',
    image: drawCoin('D', 210),
  })

const dollarContent = (): Cell =>
  onChainContent({
    name: 'Demo Dollar',
    symbol: 'dUSD',
    decimals: '6',
    description: 'The other side of the exchange. Worth what the pool says.',
    image: drawCoin('U', 140),
  })

const planExchange = (owner: DevAccount): DemoPlan['exchange'] => {
  const shareContent = onChainContent({
    name: 'Demo Exchange Share',
    symbol: 'DEMO-LP',
    decimals: '9',
    description: 'A share of a pool of the demo exchange.',
    image: drawCoin('L', 30),
  })
  return { ...planned(dexRouterInit(shareContent)), owner, shareContent }
}

const planStaking = (): DemoPlan['staking'] => {
  const content = onChainContent({
    name: 'Demo Staked Coin',
    symbol: 'stDEMO',
    decimals: '9',
    description: 'Stands for coins in the staking pool of the demo.',
    image: drawCoin('S', 280),
  })
  const pool = planned(stakePoolInit(content))
  return { ...pool, minter: stakeMinterAddress(pool.address, content) }
}

const collectionInit = ({ wallet }: DevAccount): StateInit =>
  nftCollectionInit({
    owner: wallet.address,
    content: onChainContent({
      name: 'Demo Gems',
      description: 'Gems cut by a program. Their pictures are on the chain.',
      image: drawGem(3),
    }),
    royaltyPercent: 5,
  })

const gemNames = ['Azure', 'Violet', 'Ruby', 'Amber', 'Emerald', 'Teal', 'Sapphire', 'Rose']

/** What an item of the collection says of itself. */
export const itemContent = (index: number): Cell =>
  onChainContent({
    name: `${gemNames[index % gemNames.length]} gem #${index}`,
    description: 'A gem of the demo collection.',
    image: drawGem(index),
  })

const vestingOf = (sender: DevAccount, owner: DevAccount): StateInit =>
  vestingInit({
    startTime: VESTING_START,
    totalDuration: 120 * MONTH,
    unlockPeriod: MONTH,
    cliffDuration: 3 * MONTH,
    totalAmount: 100_000_000_000n,
    sender: sender.wallet.address,
    owner: owner.wallet.address,
    ownerKey: owner.key.publicKey,
  })

const purpose = new TextEncoder().encode('accounts of the demonstration')

/**
 * The accounts that the demonstration signs with: the same for the same seed, and none of the printed ones,
 * whose sequence numbers belong to the developer. They have keys but no mnemonics.
 */
export const createDemoAccounts = (seed: Uint8Array, networkGlobalId: number): readonly DevAccount[] =>
  openDevAccounts(
    (index) => ({ mnemonic: [], keySeed: sha256(concatBytes([seed, purpose, Uint8Array.of(index)])) }),
    networkGlobalId,
  )

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
    const body = nftDeployBody(BigInt(k), BigInt(k), TON / 10n, wallet.address, itemContent(k))
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
