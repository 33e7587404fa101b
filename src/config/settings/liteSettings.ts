import { integer, toggle } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const liteSettings = {
  raw: setting({
    flag: '--raw',
    inFile: false,
    group: 'Questions to one liteserver (the command lite)',
    about: 'For lite: prints the bytes of the answer as hex. The question may then be given as hex, too.',
    kind: toggle(),
    default: false,
  }),
  wait: setting({
    flag: '--wait',
    inFile: false,
    group: 'Questions to one liteserver (the command lite)',
    about:
      'For lite: the server first waits for the masterchain block with this seqno, for as long as a question may take.',
    kind: integer({ min: 0, max: 2_147_483_647 }),
    default: undefined,
  }),
} as const satisfies Settings
