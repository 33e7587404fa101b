import type { DemoStage, DemoStep } from './DemoStep.ts'
import { jettonSteps } from './jettonSteps.ts'
import { lockedSteps } from './lockedSteps.ts'
import { nftSteps } from './nftSteps.ts'
import { transferSteps } from './transferSteps.ts'

/** Life on a network where nobody lives. */
export interface Traffic {
  /** Lets one thing happen, chosen at random, and says what it was. */
  step(): Promise<string>
}

const steps: readonly DemoStep[] = [...transferSteps, ...jettonSteps, ...nftSteps, ...lockedSteps]
const weighted = steps.flatMap((step) => Array.from({ length: step.weight }, () => step))

/** Traffic among the contracts of a deployed demonstration. One step at a time: wait for one before the next. */
export const createTraffic = (stage: DemoStage): Traffic => ({
  step: async () => {
    for (;;) {
      const step = stage.random.pick(weighted)
      // Some steps need a contract that may not be there; a comment can always be sent, so this ends.
      if (await step.run(stage)) return step.name
    }
  },
})
