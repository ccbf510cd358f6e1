import { z } from 'zod'
import { allowEveryone, signedIn, superAdminOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { booleanField, idField, requiredText } from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'

const tokenOrErrorSchema = z.union([z.object({ token: z.string() }), z.object({ error: z.string() })])

const passkeySchema = z.object({
  id: idField,
  name: z.string(),
  created_at: textInstantField,
  last_used_at: textInstantField.nullable(),
})
export type Passkey = z.infer<typeof passkeySchema>

const codeSentence = 'Please input the code'
const codeField = z.string(codeSentence).trim().min(1, codeSentence).max(100, codeSentence)
/** A code of an authenticator app. */
const codeFormSchema = z.strictObject({ code: codeField })

/** The response of a browser's authenticator; the library validates the rest. */
const credentialField = z.looseObject({
  id: z.string().max(2000),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string() }),
  clientExtensionResults: z.looseObject({}).default({}),
})
export type SentCredential = z.output<typeof credentialField>
/** Options for the browser's authenticator, as WebAuthn spells them. */
const authenticatorOptionsSchema = z.looseObject({ challenge: z.string() })

const oneProofSentence = 'Please send one proof'
const hasOneOf =
  (...names: string[]) =>
  (sent: object) =>
    names.filter((name) => Reflect.get(sent, name) !== undefined).length === 1

const challengeField = z.string('Please send the challenge').max(200)
const secondStepSchema = z
  .strictObject({
    challenge: challengeField,
    code: codeField.optional(),
    recovery_code: codeField.optional(),
    credential: credentialField.optional(),
  })
  .refine(hasOneOf('code', 'recovery_code', 'credential'), oneProofSentence)
export type SecondStepForm = z.output<typeof secondStepSchema>
const reauthenticationSchema = z
  .strictObject({
    password: z.string().max(1000).optional(),
    code: codeField.optional(),
    credential: credentialField.optional(),
  })
  .refine(hasOneOf('password', 'code', 'credential'), oneProofSentence)

const recoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) })
const requiredRolesSchema = z.strictObject({
  super_admin: booleanField,
  admin: booleanField,
  leads_handler: booleanField,
  customer: booleanField,
})

/** Second factors on the user's own profile. */
export const secondFactorContract = {
  read: endpoint('GET /user/second-factor', {
    allow: signedIn,
    reads: ['user'],
    openBeforeEnrolment: true,
    description: "The caller's own second factors, and whether their role requires one.",
    response: z.object({
      totp: z.boolean(),
      passkeys: z.array(passkeySchema),
      recovery_codes_left: z.int(),
      required: z.boolean(),
    }),
  }),
  beginTotp: endpoint('POST /user/totp', {
    allow: signedIn,
    changes: ['user'],
    newSecret: true,
    openBeforeEnrolment: true,
    reauthenticate: true,
    description:
      'A new secret for an authenticator app, shown once; it takes effect after `PUT user/totp`. 409 if an app is already set up.',
    response: z.object({ secret: z.string(), uri: z.string() }),
  }),
  enableTotp: endpoint('PUT /user/totp', {
    allow: signedIn,
    changes: ['user'],
    newSecret: true,
    openBeforeEnrolment: true,
    reauthenticate: true,
    description: 'Turns the authenticator app on with one of its codes, and returns recovery codes, shown once.',
    body: codeFormSchema,
    response: recoveryCodesSchema,
  }),
  disableTotp: endpoint('DELETE /user/totp', {
    allow: signedIn,
    changes: ['user'],
    openBeforeEnrolment: true,
    reauthenticate: true,
    description:
      'Turns the authenticator app off with one of its codes, or a recovery code; the recovery codes end too.',
    body: codeFormSchema,
    success: 'The authenticator app was turned off',
  }),
  newRecoveryCodes: endpoint('POST /user/recovery-codes', {
    allow: signedIn,
    changes: ['user'],
    newSecret: true,
    reauthenticate: true,
    description: 'Ten new recovery codes, shown once, replacing the old ones. 409 without a second factor.',
    confirm: 'Are you sure to create new recovery codes? The old ones stop working.',
    response: recoveryCodesSchema,
  }),
  passkeyOptions: endpoint('POST /user/passkeys/options', {
    allow: signedIn,
    changes: [],
    newSecret: true,
    openBeforeEnrolment: true,
    reauthenticate: true,
    description: 'What the browser needs to create a passkey (WebAuthn creation options).',
    response: authenticatorOptionsSchema,
  }),
  addPasskey: endpoint('POST /user/passkeys', {
    allow: signedIn,
    changes: ['user'],
    openBeforeEnrolment: true,
    reauthenticate: true,
    description: 'Stores a passkey that the browser created.',
    body: z.strictObject({ name: requiredText('Please input a name', 100), credential: credentialField }),
    response: passkeySchema,
    success: 'The passkey was added',
  }),
  removePasskey: endpoint('DELETE /user/passkeys/:id', {
    allow: signedIn,
    changes: ['user'],
    openBeforeEnrolment: true,
    reauthenticate: true,
    confirm: 'Are you sure to remove this passkey?',
    success: 'The passkey was removed',
  }),
}

/** The second step of a sign-in, and of reauthentication. */
export const secondStepContract = {
  finishLogin: endpoint('POST /user/login/second', {
    allow: allowEveryone,
    changes: ['user'],
    newSecret: true,
    description:
      'The second step of a sign-in. A challenge works once, for 10 minutes. A wrong proof returns 200 with an `error`; after ten per account in 15 minutes 429.',
    body: secondStepSchema,
    response: tokenOrErrorSchema,
  }),
  passkeyLoginOptions: endpoint('POST /user/login/passkey/options', {
    allow: allowEveryone,
    changes: [],
    newSecret: true,
    description:
      'What the browser needs to sign with a passkey (WebAuthn request options): with a challenge, one of that account; otherwise any.',
    body: z.strictObject({ challenge: challengeField.optional() }).optional(),
    response: authenticatorOptionsSchema,
  }),
  passkeyLogin: endpoint('POST /user/login/passkey', {
    allow: allowEveryone,
    changes: ['user'],
    newSecret: true,
    description: 'Signs in with a passkey alone: with user verification it counts as both factors.',
    body: z.strictObject({ credential: credentialField }),
    response: tokenOrErrorSchema,
  }),
  reauthenticate: endpoint('POST /user/reauthenticate', {
    allow: signedIn,
    openBeforeEnrolment: true,
    changes: [],
    description:
      'Proves the caller’s identity again, for calls that require it after 15 minutes. Users with a second factor must use it.',
    body: reauthenticationSchema,
  }),
}

export const requiredRolesContract = {
  read: endpoint('GET /access/second-factor', {
    allow: superAdminOnly,
    reads: ['access'],
    description: 'Which roles must have a second factor.',
    response: requiredRolesSchema,
  }),
  save: endpoint('PUT /access/second-factor', {
    allow: superAdminOnly,
    changes: ['access'],
    description:
      'Users whose role requires a second factor can do nothing else until they have set one up. Returns 409 with the newer roles if `seen` are not the stored ones.',
    /** `seen` are the roles that the editor read; without them the last write wins. */
    body: requiredRolesSchema.extend({ seen: requiredRolesSchema.optional() }),
    response: requiredRolesSchema,
    conflict: { newer: requiredRolesSchema },
    success: 'Required second factors were saved successfully',
  }),
}
