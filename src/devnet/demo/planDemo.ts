import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { offChainContent, onChainContent } from '../contracts/bodies.ts'
import { contractAddress } from '../contracts/contractInit.ts'
import { dnsItemAddress } from '../contracts/dnsContracts.ts'
import { jettonMinterInit } from '../contracts/jettonContracts.ts'
import { multisigInit } from '../contracts/multisigContracts.ts'
import { nftCollectionInit } from '../contracts/nftContracts.ts'
import { vestingInit } from '../contracts/vestingContract.ts'
import type { DevAccount } from '../wallets/createDevAccounts.ts'
import { DemoError } from './errors.ts'

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
}

const LABEL = 'chaincenter'
const VESTING_START = Date.UTC(2025, 0, 1) / 1000
const MONTH = 30 * 24 * 60 * 60

/** The same accounts give the same addresses, so that a network that goes on finds what it had. */
export const planDemo = (accounts: readonly DevAccount[]): DemoPlan => {
  const find = (name: string): DevAccount => {
    const account = accounts.find((it) => it.name === name)
    if (account === undefined) throw new DemoError(`The demonstration needs an account called ${name}, there is none.`)
    return account
  }
  const [alice, bob, carol, dave] = [find('alice'), find('bob'), find('carol'), find('dave')]
  const [erin, grace, heidi, judy] = [find('erin'), find('grace'), find('heidi'), find('judy')]
  const signers = [alice, bob, carol]
  return {
    accounts,
    jetton: { ...planned(jettonInit(alice)), admin: alice, holders: [alice, bob, carol, judy] },
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
  }
}

const planned = (init: StateInit): Planned => ({ address: contractAddress(init), init })

const jettonInit = ({ wallet }: DevAccount): StateInit =>
  jettonMinterInit(
    wallet.address,
    onChainContent({
      name: 'Demo Jetton',
      symbol: 'DEMO',
      decimals: '9',
      description: 'Jettons for trying things out. There are as many as you like.',
    }),
  )

const collectionInit = ({ wallet }: DevAccount): StateInit =>
  nftCollectionInit({
    owner: wallet.address,
    content: offChainContent('https://demo.invalid/nft/collection.json'),
    itemPrefix: 'https://demo.invalid/nft/',
    royaltyPercent: 5,
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
