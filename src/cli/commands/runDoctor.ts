import { type Examination, verdictOn } from '../../node/doctor/Examination.ts'
import { formatVersion } from '../../node/doctor/judgeCondition.ts'
import { formatBlockIdExt } from '../../primitives/BlockId.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { nameLiteServer } from '../../primitives/LiteServerAddress.ts'
import type { CommandContext } from '../Command.ts'
import { examineNetwork } from '../compose.ts'
import { exitCodes } from '../errors.ts'

/** AccountStages at every server and shows what was found; the exit code tells whether one has a fault. */
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

/** For a person: a block of lines for each server, and what it comes to. */
const formatExaminations = (examinations: readonly Examination[], notes: readonly string[]): string =>
  [...examinations.map(formatExamination), [...notes, summarize(examinations)].join('\n')].join('\n\n')

const formatExamination = (examination: Examination): string =>
  [
    `${nameLiteServer(examination.address)}  ${verdictOn(examination)}`,
    ...formatFacts(examination).map((facts) => `  ${facts}`),
    ...examination.findings.flatMap(({ message, advice }) => [`  ${message}`, `    ${advice}`]),
  ].join('\n')

const formatFacts = ({ condition, archival, provenSeqno }: Examination): readonly string[] => {
  if (condition === undefined) return []
  const { head, lagSeconds, version } = condition
  const facts = [
    `block ${head.seqno}`,
    lagSeconds === undefined ? undefined : `${lagSeconds} s old`,
    provenSeqno === head.seqno ? 'proven' : undefined,
    archival ? 'archival' : undefined,
    version === undefined ? undefined : `version ${formatVersion(version.number)}`,
  ]
  return [facts.filter((fact) => fact !== undefined).join(', ')]
}

const summarize = (examinations: readonly Examination[]): string => {
  const count = examinations.length
  const usable = examinations.filter((examination) => verdictOn(examination) !== 'wrong').length
  if (count === 1) return usable === 1 ? 'The server can be used.' : 'The server cannot be used as it is.'
  const isCutOff = examinations.every(({ findings }) =>
    findings.some(({ code }) => code === 'unreachable' || code === 'unknown_host'),
  )
  const hint = isCutOff ? ' The network connection of this machine may be down.' : ''
  return `${usable} of ${count} servers can be used.${hint}`
}

/** For programs. What could not be found out is null. */
const toExaminationView = (examination: Examination) => {
  const { address, condition, archival, provenSeqno, findings } = examination
  return {
    server: nameLiteServer(address),
    key: toBase64(address.publicKey),
    verdict: verdictOn(examination),
    head: condition === undefined ? null : formatBlockIdExt(condition.head),
    lagSeconds: condition?.lagSeconds ?? null,
    clockSeconds: condition?.clockSeconds ?? null,
    version: condition?.version === undefined ? null : formatVersion(condition.version.number),
    capabilities: condition?.version === undefined ? null : String(condition.version.capabilities),
    archival: archival ?? null,
    provenSeqno: provenSeqno ?? null,
    findings,
  }
}
