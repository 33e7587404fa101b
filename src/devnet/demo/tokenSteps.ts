import { type Address, addressesEqual } from '../../primitives/Address.ts'
import { changeRecordBody, renewNameBody } from '../contracts/dnsContracts.ts'
import {
  jettonBurnBody,
  jettonMintBody,
  jettonTransferBody,
  jettonWalletAddress,
  provideWalletAddressBody,
} from '../contracts/jettonContracts.ts'
import { commentBody, toAddrStd } from '../contracts/messages.ts'
import { nftItemAddress, nftRoyaltyBody, nftStaticDataBody, nftTransferBody } from '../contracts/nftContracts.ts'
import type { DevAccount } from '../wallets/createDevAccounts.ts'
import { type DemoStage, type DemoStep, request } from './DemoStep.ts'
import { findAddress, findInt } from './OrderSender.ts'

const JETTON = 1_000_000_000n
const MINT_VALUE = 100_000_000n

type Holding = { readonly holder: DevAccount; readonly wallet: Address; readonly balance: bigint }

const pickHolding = async ({ port, plan, random }: DemoStage): Promise<Holding | undefined> => {
  const holder = random.pick(plan.jetton.holders)
  const wallet = jettonWalletAddress(holder.wallet.address, plan.jetton.address)
  const balance = findInt(await port.runMethod(wallet, 'get_wallet_data', []), 0)
  return balance === undefined ? undefined : { holder, wallet, balance }
}

const transfer = async (stage: DemoStage, { holder, wallet }: Holding, amount: bigint): Promise<true> => {
  const { plan, random, sender, port } = stage
  const destination = random.pick(plan.accounts.filter((account) => account !== holder)).wallet.address
  const isNoted = random.int(2) === 0
  const body = jettonTransferBody({
    queryId: BigInt(port.now()),
    amount,
    destination,
    responseDestination: holder.wallet.address,
    forwardAmount: isNoted ? 10_000_000n : 0n,
    forwardPayload: isNoted ? commentBody('jettons for you') : undefined,
  })
  await sender.send(holder, [request(wallet, body)])
  return true
}

const sendJettons: DemoStep = {
  name: 'jetton transfer',
  weight: 5,
  run: async (stage) => {
    const holding = await pickHolding(stage)
    if (holding === undefined || holding.balance < JETTON) return false
    const most = holding.balance / 100n
    return transfer(stage, holding, (most * BigInt(1 + stage.random.int(100))) / 100n)
  },
}

/** Fails in the wallet of the sender. */
const sendTooMany: DemoStep = {
  name: 'jetton overdraft',
  weight: 1,
  run: async (stage) => {
    const holding = await pickHolding(stage)
    return holding === undefined ? false : transfer(stage, holding, holding.balance + 1n)
  },
}

const burnJettons: DemoStep = {
  name: 'jetton burn',
  weight: 1,
  run: async (stage) => {
    const holding = await pickHolding(stage)
    if (holding === undefined || holding.balance < JETTON) return false
    const { holder, wallet } = holding
    const body = jettonBurnBody(BigInt(stage.port.now()), JETTON, holder.wallet.address)
    await stage.sender.send(holder, [request(wallet, body)])
    return true
  },
}

const mintJettons: DemoStep = {
  name: 'jetton mint',
  weight: 1,
  run: async ({ port, plan, random, sender }) => {
    const { address, admin } = plan.jetton
    const to = random.pick(plan.accounts).wallet.address
    const amount = BigInt(1 + random.int(1000)) * JETTON
    const body = jettonMintBody(BigInt(port.now()), to, amount, MINT_VALUE, admin.wallet.address)
    await sender.send(admin, [request(address, body)])
    return true
  },
}

const askForWallet: DemoStep = {
  name: 'jetton wallet discovery',
  weight: 1,
  run: async ({ port, plan, random, sender }) => {
    const body = provideWalletAddressBody(BigInt(port.now()), random.pick(plan.accounts).wallet.address)
    await sender.send(random.pick(plan.accounts), [request(plan.jetton.address, body)])
    return true
  },
}

export const jettonSteps = {
  send: sendJettons,
  sendTooMany,
  burn: burnJettons,
  mint: mintJettons,
  askForWallet,
} as const

const findOwner = async ({ port, plan }: DemoStage, item: Address): Promise<DevAccount | undefined> => {
  const owner = findAddress(await port.runMethod(item, 'get_nft_data', []), 3)
  if (owner === undefined) return undefined
  return plan.accounts.find(({ wallet }) => addressesEqual(wallet.address, owner))
}

const pickItem = ({ plan, random }: DemoStage): Address =>
  nftItemAddress(plan.collection.address, BigInt(random.int(plan.collection.items)))

const handOn: DemoStep = {
  name: 'nft transfer',
  weight: 2,
  run: async (stage) => {
    const { plan, port, random, sender } = stage
    const item = pickItem(stage)
    const owner = await findOwner(stage, item)
    if (owner === undefined) return false
    const newOwner = random.pick(plan.accounts.filter((account) => account !== owner)).wallet.address
    const body = nftTransferBody({
      queryId: BigInt(port.now()),
      newOwner,
      responseDestination: owner.wallet.address,
      forwardAmount: 10_000_000n,
      forwardPayload: commentBody('a gift'),
    })
    await sender.send(owner, [request(item, body)])
    return true
  },
}

const ask: DemoStep = {
  name: 'nft requests',
  weight: 1,
  run: async (stage) => {
    const { plan, port, random, sender } = stage
    const queryId = BigInt(port.now())
    await sender.send(random.pick(plan.accounts), [
      request(pickItem(stage), nftStaticDataBody(queryId)),
      request(plan.collection.address, nftRoyaltyBody(queryId)),
    ])
    return true
  },
}

const renewName: DemoStep = {
  name: 'name renewal',
  weight: 1,
  run: async (stage) => {
    const { item } = stage.plan.name
    const owner = await findOwner(stage, item)
    if (owner === undefined) return false
    await stage.sender.send(owner, [request(item, renewNameBody(BigInt(stage.port.now())))])
    return true
  },
}

const changeName: DemoStep = {
  name: 'name record',
  weight: 1,
  run: async (stage) => {
    const { plan, port, random, sender } = stage
    const { item } = plan.name
    const owner = await findOwner(stage, item)
    if (owner === undefined) return false
    const address = toAddrStd(random.pick(plan.accounts).wallet.address)
    const record = { kind: 'smcAddress', address, flags: 0, list: undefined } as const
    await sender.send(owner, [request(item, changeRecordBody(BigInt(port.now()), 'wallet', record))])
    return true
  },
}

export const deleteRecord: DemoStep = {
  name: 'name record deletion',
  weight: 1,
  run: async (stage) => {
    const { item } = stage.plan.name
    const owner = await findOwner(stage, item)
    if (owner === undefined) return false
    const body = changeRecordBody(BigInt(stage.port.now()), 'storage', undefined)
    await stage.sender.send(owner, [request(item, body)])
    return true
  },
}

export const nftSteps = { handOn, ask, renewName, changeName } as const
