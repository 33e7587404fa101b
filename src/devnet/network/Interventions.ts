import type { AccountOverride, InjectedMessage, StepMade } from '../collate/StepOrder.ts'
import type { Intervention, Producer } from './Producer.ts'
import type { Turns } from './Turns.ts'

type Pending = Intervention & { resolve(made: StepMade): void; reject(error: unknown): void }

/**
 * What a developer does to the chain from outside is done in a block that is made at once, whatever the mining mode. What is
 * asked for in one moment is done in one block; where that fails, each alone, so that nobody pays for another's mistake.
 */
export class Interventions {
  private readonly producer: Producer
  private readonly turns: Turns
  private pending: Pending[] = []

  constructor(producer: Producer, turns: Turns) {
    this.producer = producer
    this.turns = turns
  }

  make(intervention: Intervention): Promise<StepMade> {
    return new Promise((resolve, reject) => {
      this.pending.push({ ...intervention, resolve, reject })
      void this.turns.run(() => this.flush())
    })
  }

  private async flush(): Promise<void> {
    const all = this.pending
    this.pending = []
    if (all.length === 0) return
    try {
      const made = await this.producer.makeBlock(combine(all))
      for (const { resolve } of all) resolve(made)
    } catch (error) {
      if (all.length === 1) all[0]?.reject(error)
      else for (const each of all) await this.makeAlone(each)
    }
  }

  private async makeAlone({ injected, overrides, resolve, reject }: Pending): Promise<void> {
    try {
      resolve(await this.producer.makeBlock({ injected, overrides }))
    } catch (error) {
      reject(error)
    }
  }
}

const combine = (all: readonly Pending[]): Intervention => {
  const injected: InjectedMessage[] = all.flatMap((each) => each.injected)
  const overrides: AccountOverride[] = all.flatMap((each) => each.overrides)
  return { injected, overrides }
}
