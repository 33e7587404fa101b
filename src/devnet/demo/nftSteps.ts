import { type Address, addressesEqual } from '../../primitives/Address.ts'
import { toAddrStd } from '../contracts/addresses.ts'
import { commentBody } from '../contracts/bodies.ts'
import { changeRecordBody, renewNameBody } from '../contracts/dnsContracts.ts'
import { nftItemAddress, nftRoyaltyBody, nftStaticDataBody, nftTransferBody } from '../contracts/nftContracts.ts'
import type { DevAccount } from '../wallets/createDevAccounts.ts'
import { type DemoStage, type DemoStep, request } from './DemoStep.ts'
import { findAddress } from './stackValues.ts'

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
  name: 'nft questions',
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

export const nftSteps: readonly DemoStep[] = [handOn, ask, renewName, changeName]
