import { parentPort } from 'node:worker_threads'
import { drawReportPdf, type ReportPdfProps } from './report-pdf.ts'

/** The worker's answer: the file, or why there is none. */
export type PdfAnswer = { file: Uint8Array<ArrayBuffer> } | { failed: unknown }

// Runs in a separate thread, which `render-pdf.ts` starts.
parentPort?.on('message', async (report: ReportPdfProps) => {
  try {
    const file = new Uint8Array(await drawReportPdf(report))
    parentPort?.postMessage({ file } satisfies PdfAnswer, [file.buffer])
  } catch (failed) {
    parentPort?.postMessage({ failed } satisfies PdfAnswer)
  }
})
