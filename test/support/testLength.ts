/** Whether tests run in their long form (`npm run test:long`). The files that import this are those that have one. */
export const isLong = process.env['CHAINCENTER_TEST_LONG'] === '1'
