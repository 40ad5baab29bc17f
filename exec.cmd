@rem The scripts of package.json begin with exec, so that a POSIX shell makes way for the server and signals reach it. cmd.exe has no such word.
@%*
