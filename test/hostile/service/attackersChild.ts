// The attackers, in a process of their own: whoever measures must not wait while megabytes of answers are received.
import { type Attackers, AttackRun } from './attackers.ts'

process.once('message', async (attackers: Attackers) => {
  const run = new AttackRun(attackers)
  process.once('message', () => run.stop())
  process.once('disconnect', () => process.exit(0))
  const report = await run.done
  process.send?.(report, () => process.exit(0))
})
