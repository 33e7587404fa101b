import { before, describe, it } from 'node:test'
import { toNano } from '@ton/core'
import { Blockchain, type SandboxContract, type TreasuryContract } from '@ton/sandbox'
import { Counter } from './Counter.ts'
import { expect } from './expect.ts'

describe('Counter', () => {
  let deployer: SandboxContract<TreasuryContract>
  let other: SandboxContract<TreasuryContract>
  let counter: SandboxContract<Counter>
  let blockchain: Blockchain

  before(async () => {
    blockchain = await Blockchain.create()
    deployer = await blockchain.treasury('deployer')
    other = await blockchain.treasury('other')
    counter = blockchain.openContract(Counter.createFromConfig({ id: 7, counter: 0, owner: deployer.address }))
  })

  it('deploys', async () => {
    const result = await counter.sendDeploy(deployer.getSender(), toNano('0.05'))
    expect(result.transactions).toHaveTransaction({
      from: deployer.address,
      to: counter.address,
      deploy: true,
      success: true,
    })
    expect(await counter.getID()).toBe(7)
    expect(await counter.getCounter()).toBe(0)
  })

  for (const increaseBy of [1, 20, 300]) {
    it(`increases by ${increaseBy}`, async () => {
      const before = await counter.getCounter()
      const result = await counter.sendIncrease(deployer.getSender(), { increaseBy, value: toNano('0.05') })
      expect(result.transactions).toHaveTransaction({
        from: deployer.address,
        to: counter.address,
        op: 0x7e8764ef,
        success: true,
      })
      // The rest of the value comes back.
      expect(result.transactions).toHaveTransaction({
        from: counter.address,
        to: deployer.address,
        op: 0xd53276db,
        value: (value) => value > toNano('0.04'),
      })
      expect(result.transactions).toHaveLength(3)
      expect(await counter.getCounter()).toBe(before + increaseBy)
    })
  }

  it('is reset by its owner only', async () => {
    const refused = await counter.sendReset(other.getSender(), toNano('0.05'))
    expect(refused.transactions).toHaveTransaction({
      from: other.address,
      to: counter.address,
      aborted: true,
      exitCode: 401,
    })
    expect(refused.transactions).toHaveTransaction({ from: counter.address, to: other.address, inMessageBounced: true })
    expect(await counter.getCounter()).toBe(321)
    const result = await counter.sendReset(deployer.getSender(), toNano('0.05'))
    expect(result.transactions).toHaveTransaction({ to: counter.address, success: true })
    expect(result.transactions).not.toHaveTransaction({ aborted: true })
    expect(await counter.getCounter()).toBe(0)
  })

  it('is paid for by its users', async () => {
    const before = await deployer.getBalance()
    for (let k = 0; k < 20; k++) {
      await counter.sendIncrease(deployer.getSender(), { increaseBy: 1, value: toNano('0.05') })
    }
    expect(await counter.getCounter()).toBe(20)
    expect(before - (await deployer.getBalance())).toBeLessThan(toNano('0.5'))
  })
})
