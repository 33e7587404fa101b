import type { Cell } from '../../codec/cell/Cell.ts'
import { commentBody } from '../contracts/bodies.ts'
import { approveBody, multisigOrderAddress, newOrderBody } from '../contracts/multisigContracts.ts'
import { vestingSendBody, vestingWhitelistBody } from '../contracts/vestingContract.ts'
import { type DemoStage, type DemoStep, request } from './DemoStep.ts'
import { findInt } from './stackValues.ts'

const ORDER_VALUE = 1_000_000_000n
const ORDER_LIFETIME = 3600

const createOrder = async ({ port, plan, random, sender }: DemoStage, seqno: bigint): Promise<true> => {
  const { address, signers, proposer } = plan.multisig
  const index = random.int(signers.length + 1)
  const signer = signers[index]
  const body = newOrderBody({
    queryId: BigInt(port.now()),
    seqno,
    isSigner: signer !== undefined,
    index: signer === undefined ? 0 : index,
    expirationDate: port.now() + ORDER_LIFETIME,
    messages: [
      {
        destination: random.pick(plan.accounts).wallet.address,
        value: 10_000_000n,
        bounce: false,
        body: commentBody(`order ${seqno}`),
      },
    ],
  })
  await sender.send(signer ?? proposer, [{ ...request(address, body), value: ORDER_VALUE }])
  return true
}

/** The newest order goes on while it can; then there is another. */
const orderTogether: DemoStep = {
  name: 'multisig order',
  weight: 3,
  run: async (stage) => {
    const { port, plan, random, sender } = stage
    const { address, signers } = plan.multisig
    const next = findInt(await port.runMethod(address, 'get_multisig_data', []), 0)
    if (next === undefined) return false
    if (next === 0n) return createOrder(stage, next)
    const order = multisigOrderAddress(address, next - 1n)
    const data = await port.runMethod(order, 'get_order_data', [])
    const approvals = findInt(data, 5)
    const until = findInt(data, 7)
    const isDone = findInt(data, 3) !== 0n
    if (isDone || approvals === undefined || until === undefined || until <= port.now()) return createOrder(stage, next)
    const index = signers.findIndex((_, k) => ((approvals >> BigInt(k)) & 1n) === 0n)
    const body: Cell = random.int(2) === 0 ? commentBody('approve') : approveBody(BigInt(port.now()), index)
    await sender.send(signers[index]!, [request(order, body)])
    return true
  },
}

const sendUnlocked: DemoStep = {
  name: 'vesting transfer',
  weight: 1,
  run: async ({ port, plan, random, sender }) => {
    const destination = random.pick(plan.accounts).wallet.address
    const message = { destination, value: 10_000_000n, bounce: false, body: commentBody('unlocked') }
    const body = vestingSendBody(BigInt(port.now()), message)
    await sender.send(plan.vesting.owner, [request(plan.vesting.address, body)])
    return true
  },
}

const listAddress: DemoStep = {
  name: 'vesting whitelist',
  weight: 1,
  run: async ({ port, plan, random, sender }) => {
    const body = vestingWhitelistBody(BigInt(port.now()), random.pick(plan.accounts).wallet.address)
    await sender.send(plan.vesting.sender, [request(plan.vesting.address, body)])
    return true
  },
}

export const lockedSteps: readonly DemoStep[] = [orderTogether, sendUnlocked, listAddress]
