import { verdictOn } from '../../node/doctor/Examination.ts'
import { formatExaminations } from '../../node/doctor/formatExaminations.ts'
import { toExaminationView } from '../../node/doctor/toExaminationView.ts'
import type { CommandContext } from '../Command.ts'
import { examineNetwork } from '../compose.ts'
import { exitCodes } from '../exitCodes.ts'

/** Looks at every server and shows what was found; the exit code tells whether one has a fault. */
export const runDoctor = async (context: CommandContext): Promise<number> => {
  const { show, shutdown } = context
  const { examinations, notes } = await examineNetwork(context)
  shutdown.signal.throwIfAborted()
  const isFine = examinations.every((examination) => verdictOn(examination) !== 'wrong')
  show({
    text: formatExaminations(examinations, notes),
    value: { fine: isFine, servers: examinations.map(toExaminationView), notes },
  })
  return isFine ? exitCodes.ok.code : exitCodes.failed.code
}
