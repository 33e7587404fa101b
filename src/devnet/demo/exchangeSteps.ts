import type { Cell } from '../../codec/cell/Cell.ts'
import type { Address } from '../../primitives/Address.ts'
import { dexPoolAddress, providePayload, swapPayload } from '../contracts/exchangeContracts.ts'
import {
  jettonBurnBody,
  jettonMintBody,
  jettonTransferBody,
  jettonWalletAddress,
} from '../contracts/jettonContracts.ts'
import { stakeDepositBody } from '../contracts/stakeContracts.ts'
import type { DevAccount } from '../wallets/createDevAccounts.ts'
import { type DemoStage, type DemoStep, request } from './DemoStep.ts'
import { findInt } from './OrderSender.ts'

const TON = 1_000_000_000n
/** What goes along with jettons for the exchange, and pays for all that follows. */
const FORWARD = TON / 2n
const EXCHANGE_VALUE = 700_000_000n
/** Given to the pool at first: 50,000 DEMO for 100,000 dollars. */
const FIRST_LIQUIDITY = { demo: 50_000n * TON, dollars: 100_000n * 1_000_000n }
/** In seconds. */
const DEADLINE = 600

const pairOf = ({ plan: { jetton, dollar } }: DemoStage): readonly [Address, Address] => [
  jetton.address,
  dollar.address,
]

const balanceOf = async ({ port }: DemoStage, owner: DevAccount, minter: Address): Promise<bigint | undefined> =>
  findInt(await port.runMethod(jettonWalletAddress(owner.wallet.address, minter), 'get_wallet_data', []), 0)

const findShares = async (stage: DemoStage): Promise<bigint | undefined> => {
  const { address: router, shareContent } = stage.plan.exchange
  const [demo, dollars] = pairOf(stage).map((minter) => jettonWalletAddress(router, minter))
  const pool = dexPoolAddress(router, shareContent, [demo!, dollars!])
  return findInt(await stage.port.runMethod(pool, 'get_pool_data', []), 2)
}

/** A transfer of jettons to the router, with what it shall do. */
const toRouter = (stage: DemoStage, from: DevAccount, minter: Address, amount: bigint, payload: Cell) => {
  const body = jettonTransferBody({
    queryId: BigInt(stage.port.now()),
    amount,
    destination: stage.plan.exchange.address,
    responseDestination: from.wallet.address,
    forwardAmount: FORWARD,
    forwardPayload: payload,
  })
  return { ...request(jettonWalletAddress(from.wallet.address, minter), body), value: EXCHANGE_VALUE }
}

const requestOf = ({ port, plan }: DemoStage, user: DevAccount, other: Address) => ({
  otherWallet: jettonWalletAddress(plan.exchange.address, other),
  user: user.wallet.address,
  deadline: port.now() + DEADLINE,
})

/** The second jetton, for those who trade. */
const mintDollars = async ({ plan, sender }: DemoStage): Promise<true> => {
  const { address, init, admin } = plan.dollar
  const messages = plan.jetton.holders.map(({ wallet }, k) => {
    const body = jettonMintBody(BigInt(k), wallet.address, 1_000_000_000_000n, TON / 10n, admin.wallet.address)
    return { destination: address, value: TON / 2n, bounce: false, init, body }
  })
  await sender.send(admin, messages.slice(0, 4))
  return true
}

/** Deploys the second jetton, then the exchange with its pool; after that, owners of both jettons add liquidity. */
const provide: DemoStep = {
  name: 'liquidity',
  weight: 1,
  run: async (stage) => {
    const { plan, random, sender } = stage
    const { address, init, owner } = plan.exchange
    if ((await balanceOf(stage, owner, plan.dollar.address)) === undefined) return mintDollars(stage)
    const isFirst = (await findShares(stage)) === undefined
    const provider = isFirst ? owner : random.pick(plan.jetton.holders)
    const share = isFirst ? 1n : 100n
    const [demo, dollar] = pairOf(stage)
    const amounts = [FIRST_LIQUIDITY.demo / share, FIRST_LIQUIDITY.dollars / share] as const
    const balances = await Promise.all([demo, dollar].map((minter) => balanceOf(stage, provider, minter)))
    if (balances.some((balance, k) => balance === undefined || balance < amounts[k]!)) return false
    await sender.send(provider, [
      ...(isFirst ? [{ destination: address, value: TON, bounce: false, init }] : []),
      toRouter(stage, provider, demo, amounts[0], providePayload(requestOf(stage, provider, dollar))),
      toRouter(stage, provider, dollar, amounts[1], providePayload(requestOf(stage, provider, demo))),
    ])
    return true
  },
}

const trade = async (stage: DemoStage, minOut: bigint): Promise<boolean> => {
  const { plan, random, sender } = stage
  if ((await findShares(stage)) === undefined) return false
  const trader = random.pick(plan.jetton.holders)
  const [give, take] = random.int(2) === 0 ? pairOf(stage) : pairOf(stage).toReversed()
  const balance = await balanceOf(stage, trader, give!)
  if (balance === undefined || balance < 1000n) return false
  const amount = (balance * BigInt(1 + random.int(20))) / 10_000n
  const payload = swapPayload({ ...requestOf(stage, trader, take!), minOut })
  await sender.send(trader, [toRouter(stage, trader, give!, amount, payload)])
  return true
}

const swap: DemoStep = { name: 'swap', weight: 4, run: (stage) => trade(stage, 1n) }

/** Wants more than the pool gives, so that the jettons come back. */
const swapTooDear: DemoStep = { name: 'refused swap', weight: 1, run: (stage) => trade(stage, 1n << 100n) }

const stake: DemoStep = {
  name: 'stake',
  weight: 2,
  run: async ({ port, plan, random, sender }) => {
    const { address, init } = plan.staking
    const body = stakeDepositBody(BigInt(port.now()))
    const value = BigInt(2 + random.int(50)) * TON
    await sender.send(random.pick(plan.jetton.holders), [{ destination: address, value, bounce: true, init, body }])
    return true
  },
}

const unstake: DemoStep = {
  name: 'unstake',
  weight: 1,
  run: async (stage) => {
    const { plan, port, random, sender } = stage
    const holders: { readonly holder: DevAccount; readonly tokens: bigint }[] = []
    for (const holder of plan.jetton.holders) {
      const tokens = await balanceOf(stage, holder, plan.staking.minter)
      if (tokens !== undefined && tokens > TON) holders.push({ holder, tokens })
    }
    if (holders.length === 0) return false
    const { holder, tokens } = random.pick(holders)
    const body = jettonBurnBody(BigInt(port.now()), tokens / 2n, holder.wallet.address)
    await sender.send(holder, [request(jettonWalletAddress(holder.wallet.address, plan.staking.minter), body)])
    return true
  },
}

export const exchangeSteps = { provide, swap, swapTooDear, stake, unstake } as const
