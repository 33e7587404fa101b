import { verdictOn } from '../../node/doctor/Examination.ts'
import { formatExaminations } from '../../node/doctor/formatExaminations.ts'
import { toExaminationView } from '../../node/doctor/toExaminationView.ts'
import type { Command } from '../Command.ts'
import { examineNetwork } from '../compose.ts'
import { exitCodes } from '../exitCodes.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'Looks at every configured liteserver and says what is wrong with it and what to do.',
  parameters: [],
  notes: [
    'It tells a refused or impossible connection, a wrong key, another network, a node that is out of sync or too old, a clock that is off, an init block that the server no longer has, and proofs that are false. Servers that lack the beginning of the chain are named, but that is no fault. It takes about ten seconds at most, whatever the servers do.',
    'The exit code is 0 where no server has a fault, 1 where one has, 2 where the settings name no server.',
  ],
  async run(context) {
    const { show, shutdown } = context
    const { examinations, notes } = await examineNetwork(context)
    shutdown.signal.throwIfAborted()
    const isFine = examinations.every((examination) => verdictOn(examination) !== 'wrong')
    show({
      text: formatExaminations(examinations, notes),
      value: { fine: isFine, servers: examinations.map(toExaminationView), notes },
    })
    return isFine ? exitCodes.ok.code : exitCodes.failed.code
  },
}
