/** The PostgreSQL channel on which triggers announce changed rights or sessions: a user's id, or nothing for everyone. */
export const rightsChannel = 'leadline_rights'
