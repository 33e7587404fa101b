import type { Address } from '../../primitives/Address.ts'
import { commentBody } from '../contracts/bodies.ts'
import {
  jettonBurnBody,
  jettonMintBody,
  jettonTransferBody,
  jettonWalletAddress,
  provideWalletAddressBody,
} from '../contracts/jettonContracts.ts'
import type { DevAccount } from '../wallets/createDevAccounts.ts'
import { type DemoStage, type DemoStep, request } from './DemoStep.ts'
import { findInt } from './stackValues.ts'

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

export const jettonSteps: readonly DemoStep[] = [sendJettons, sendTooMany, burnJettons, mintJettons, askForWallet]
