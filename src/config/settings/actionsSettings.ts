import { text } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const actionsSettings = {
  dir: setting({
    flag: '--dir',
    inFile: false,
    group: 'Recorded traces (the command actions)',
    about: 'For actions: the folder with cases.json and traces.',
    kind: text('folder', 'the path of a folder'),
    default: undefined,
  }),
} as const satisfies Settings
